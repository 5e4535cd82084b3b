"""Create the tables of the event stream, of alerts, of deliveries by mail and webhook, and of the secrets of
webhooks.

The event stream of a property begins at the present end of its ledger.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLES = """
CREATE TABLE event (
    property text NOT NULL,
    number bigint NOT NULL,
    uid uuid NOT NULL DEFAULT gen_random_uuid(),
    type text NOT NULL,
    subject text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    data jsonb NOT NULL,
    webhooks text[],
    PRIMARY KEY (property, number)
);
CREATE INDEX event_of_subject ON event (property, type, subject);
COMMENT ON TABLE event IS 'what webhooks receive, numbered without gaps in each property';
COMMENT ON COLUMN event.uid IS 'the webhook-id of every delivery of the event';
COMMENT ON COLUMN event.webhooks IS 'the webhooks that it is for; null: all that ask for its type';

CREATE TABLE event_stream (
    property text PRIMARY KEY,
    number bigint NOT NULL DEFAULT 0,
    position bigint NOT NULL DEFAULT 0,
    began bigint NOT NULL DEFAULT 0,
    alerts bigint NOT NULL DEFAULT 0,
    checked_at timestamptz NOT NULL DEFAULT '-infinity'
);
COMMENT ON TABLE event_stream IS 'number: of the last event; position: up to which the ledger was read, since began; alerts: the last number or place of an alert';

CREATE TABLE condition (
    property text NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    minutes integer NOT NULL,
    since timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (property, kind, subject, minutes)
);
COMMENT ON TABLE condition IS 'what lasts now and has been announced: silent and late tables, jobs that were set aside';

CREATE TABLE alert (
    property text NOT NULL,
    number bigint NOT NULL,
    rule text NOT NULL,
    event bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    page boolean NOT NULL,
    held_until timestamptz,
    shown bigint,
    PRIMARY KEY (property, number)
);
CREATE UNIQUE INDEX alert_in_order ON alert (property, shown);
CREATE INDEX alert_held ON alert (property, held_until) WHERE shown IS NULL;
COMMENT ON COLUMN alert.shown IS 'the place in the order in which people see alerts; null while quiet hours hold it back';
COMMENT ON COLUMN alert.held_until IS 'the end of the quiet hours that hold it back';

CREATE TABLE alert_seen (
    property text NOT NULL,
    person text NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (property, person)
);

CREATE TABLE alert_contact (
    person text PRIMARY KEY,
    mail text NOT NULL DEFAULT '',
    sound boolean NOT NULL DEFAULT true,
    quiet_from text NOT NULL DEFAULT '',
    quiet_to text NOT NULL DEFAULT ''
);
COMMENT ON TABLE alert_contact IS 'how a person is alerted; erased with the person';

CREATE TABLE delivery (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    property text NOT NULL,
    channel text NOT NULL CHECK (channel IN ('webhook', 'mail')),
    target text NOT NULL,
    message uuid NOT NULL,
    type text NOT NULL,
    event bigint,
    alerts bigint[] NOT NULL DEFAULT '{}',
    state text NOT NULL CHECK (state IN ('due', 'delivered', 'failed', 'set-aside')),
    attempts integer NOT NULL DEFAULT 0,
    code integer,
    answer text NOT NULL DEFAULT '',
    made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    tried_at timestamptz,
    delivered_at timestamptz,
    by text NOT NULL DEFAULT '',
    UNIQUE (property, channel, target, message)
);
CREATE INDEX delivery_in_order ON delivery (property, id);
CREATE INDEX delivery_open ON delivery (property, state) WHERE state <> 'delivered';
CREATE INDEX delivery_mail_due ON delivery (property, due_at) WHERE channel = 'mail' AND state IN ('due', 'failed');
COMMENT ON COLUMN delivery.message IS 'the webhook-id or the Message-ID: a repeated delivery has the same';
COMMENT ON COLUMN delivery.by IS 'who asked for a test or a replay';

CREATE TABLE webhook_progress (
    property text NOT NULL,
    webhook text NOT NULL,
    number bigint NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    PRIMARY KEY (property, webhook)
);
COMMENT ON COLUMN webhook_progress.number IS 'the last event that was delivered or did not concern the webhook';

CREATE TABLE webhook_secret (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    property text NOT NULL,
    webhook text NOT NULL,
    secret text NOT NULL,
    made_by text NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now(),
    ends_at timestamptz
);
CREATE INDEX webhook_secret_of ON webhook_secret (property, webhook);
COMMENT ON COLUMN webhook_secret.secret IS 'encrypted with a key outside the database';

CREATE INDEX kept_report_finished ON kept_report (finished_at);
INSERT INTO event_stream (property, position, began, checked_at) SELECT property, position, position, now() FROM head;
"""
CHANGED = "event_stream, condition, alert, alert_seen, alert_contact, delivery, webhook_progress, webhook_secret"
GUARD = "CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"


def grant(apps: Any, schema_editor: Any) -> None:
    """Grant the application's role its rights, and let the database refuse every change of an event."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(GUARD)
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {CHANGED} TO {user}")
    schema_editor.execute(f"GRANT SELECT, INSERT ON event TO {user}")


class Migration(migrations.Migration):
    dependencies = [("casino", "0028_open_hand"), ("audit", "0033_alerts")]
    operations = [
        migrations.RunSQL(TABLES, f"DROP INDEX kept_report_finished; DROP TABLE event, {CHANGED}"),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
