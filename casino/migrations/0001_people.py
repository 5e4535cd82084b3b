"""Create the tables of people, tokens and register entries in force. Declare findings and the tally to the
admin.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Finding',
            fields=[
                ('id', models.TextField(primary_key=True, serialize=False)),
                ('property', models.TextField()),
                ('stream', models.TextField()),
                ('number', models.BigIntegerField()),
                ('uid', models.UUIDField()),
                ('reader', models.TextField()),
                ('round', models.TextField(null=True)),
                ('code', models.TextField()),
                ('grade', models.TextField()),
                ('spot', models.TextField(null=True)),
                ('wager', models.TextField(null=True)),
                ('owed', models.TextField(null=True)),
                ('moved', models.TextField(null=True)),
                ('says', models.TextField()),
                ('cite', models.TextField()),
                ('slip', models.TextField(null=True)),
            ],
            options={
                'db_table': 'finding',
                'managed': False,
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('stream', models.TextField(primary_key=True, serialize=False)),
                ('property', models.TextField()),
                ('currency', models.TextField()),
                ('shift', models.TextField()),
                ('hour', models.TextField()),
                ('dealer', models.TextField()),
                ('wager', models.TextField()),
                ('pay_table', models.TextField()),
                ('price_class', models.TextField()),
                ('rounds', models.DecimalField(decimal_places=0, max_digits=30)),
                ('bets', models.DecimalField(decimal_places=0, max_digits=30)),
                ('staked', models.DecimalField(decimal_places=0, max_digits=30)),
                ('paid', models.DecimalField(decimal_places=0, max_digits=30)),
                ('taken', models.DecimalField(decimal_places=0, max_digits=30)),
                ('returned', models.DecimalField(decimal_places=0, max_digits=30)),
                ('found', models.JSONField()),
            ],
            options={
                'verbose_name_plural': 'tally',
                'db_table': 'tally',
                'managed': False,
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='Person',
            fields=[
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('id', models.TextField(primary_key=True, serialize=False)),
                ('name', models.TextField(blank=True, default='')),
                ('is_active', models.BooleanField(default=True)),
            ],
            options={
                'verbose_name_plural': 'people',
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='Property',
            fields=[
                ('code', models.TextField(primary_key=True, serialize=False)),
                ('name', models.TextField(default='')),
                ('position', models.BigIntegerField(default=0)),
            ],
            options={
                'verbose_name_plural': 'properties',
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('property', models.TextField()),
                ('position', models.BigIntegerField()),
                ('uid', models.UUIDField()),
                ('register', models.TextField()),
                ('key', models.TextField()),
                ('value', models.JSONField(null=True)),
                ('begins', models.DateField()),
                ('ends', models.DateField()),
                ('by', models.TextField()),
                ('second', models.TextField()),
            ],
            options={
                'verbose_name_plural': 'entries',
                'default_permissions': (),
                'indexes': [models.Index(fields=['property', 'register', 'key', 'position'], name='entry_of_key')],
                'constraints': [models.UniqueConstraint(fields=('property', 'position'), name='entry_of_one_fact')],
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('property', models.TextField()),
                ('register', models.TextField()),
                ('key', models.TextField()),
                ('value', models.JSONField()),
                ('begins', models.DateField()),
                ('ends', models.DateField()),
                ('uid', models.UUIDField()),
                ('by', models.TextField()),
                ('second', models.TextField()),
            ],
            options={
                'default_permissions': (),
                'indexes': [models.Index(fields=['register', 'key'], name='standing_of_key')],
                'constraints': [models.UniqueConstraint(fields=('property', 'register', 'key', 'begins'), name='standing_once')],
            },
        ),
        migrations.CreateModel(
            name='Approval',
            fields=[
            ],
            options={
                'proxy': True,
                'default_permissions': (),
                'indexes': [],
                'constraints': [],
            },
            bases=('casino.standing',),
        ),
        migrations.CreateModel(
            name='Camera',
            fields=[
            ],
            options={
                'proxy': True,
                'default_permissions': (),
                'indexes': [],
                'constraints': [],
            },
            bases=('casino.standing',),
        ),
        migrations.CreateModel(
            name='Device',
            fields=[
            ],
            options={
                'proxy': True,
                'default_permissions': (),
                'indexes': [],
                'constraints': [],
            },
            bases=('casino.standing',),
        ),
        migrations.CreateModel(
            name='Member',
            fields=[
            ],
            options={
                'verbose_name': 'role',
                'proxy': True,
                'default_permissions': (),
                'indexes': [],
                'constraints': [],
            },
            bases=('casino.standing',),
        ),
        migrations.CreateModel(
            name='Pit',
            fields=[
            ],
            options={
                'proxy': True,
                'default_permissions': (),
                'indexes': [],
                'constraints': [],
            },
            bases=('casino.standing',),
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
            ],
            options={
                'proxy': True,
                'default_permissions': (),
                'indexes': [],
                'constraints': [],
            },
            bases=('casino.standing',),
        ),
        migrations.CreateModel(
            name='Token',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.BinaryField(unique=True)),
                ('prefix', models.TextField()),
                ('property', models.TextField(default='')),
                ('device', models.TextField(default='')),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)),
                ('made_by', models.TextField()),
                ('made_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('last_used_at', models.DateTimeField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'default_permissions': (),
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('device', ''), ('person__isnull', False)), models.Q(('person__isnull', True), models.Q(('device', ''), _negated=True)), _connector='OR'), name='token_of_one')],
            },
        ),
    ]
