"""Make the conditions of three indexes of facts cheaper.

PostgreSQL evaluates the condition of each index for each new fact, and compares the fact's kind with the
items of a list one by one. The kind of a fact about play was in none of the lists, so it was compared with
all items: with 51 items for the index of the ledger fold, and twice with nine items for the indexes of cases.
The condition for the ledger fold now names the kinds that are not in the index, the most frequent first, so
that the comparison ends early. The condition for cases compares the common prefix of their kinds.
"""

from __future__ import annotations

from django.db import migrations

OF_PLAY = """'deal', 'bet', 'settled', 'clear', 'pay', 'take', 'announce', 'roll', 'bets', 'choose', 'no-more-bets',
    'round-closed', 'shake', 'burn', 'return', 'alarm', 'anchored', 'cut-card-shown', 'mark', 'player-back',
    'player-lost', 'pull', 'shuffled', 'unbet', 'view-saved'"""
BEFORE = """'adjusted', 'alarm-answered', 'alert-rule-set', 'box-pulled', 'camera-down', 'camera-up', 'chips-bought',
    'clip-exported', 'closer-counted', 'corrected', 'count-verified', 'credit-sent', 'day-closed', 'dealer-seated',
    'drop-counted', 'fill-sent', 'flagged', 'hand-assigned', 'hand-over-accepted', 'hand-snoozed', 'hold-ordered',
    'hold-released', 'hold-secured', 'log-written', 'marker-issued', 'marker-paid', 'opener-counted', 'paused',
    'read-corrected', 'reexamined', 'register-set', 'resumed', 'round-cancelled', 'round-opened', 'slip-voided',
    'table-closed', 'table-opened', 'verdict-given', 'void', 'webhook-set', 'case-changed', 'case-closed',
    'case-erased', 'case-file-added', 'case-joined', 'case-noted', 'case-opened', 'case-parted',
    'case-subject-set'"""
CASES = """'case-changed', 'case-closed', 'case-erased', 'case-file-added', 'case-joined', 'case-noted',
    'case-opened', 'case-parted', 'case-subject-set'"""
INDEXES = """
DROP INDEX fact_of_the_ledger, fact_of_case, fact_of_all_cases;
CREATE INDEX fact_of_the_ledger ON fact (property, position) WHERE {};
CREATE INDEX fact_of_case ON fact (property, case_of(body), position) WHERE {};
CREATE INDEX fact_of_all_cases ON fact (property, position) WHERE {};
"""
BY_PREFIX = "starts_with(kind, 'case-')"
BY_LIST = f"kind IN ({CASES})"


class Migration(migrations.Migration):
    dependencies = [("audit", "0040_round_of_day")]
    operations = [
        migrations.RunSQL(
            INDEXES.format(f"kind NOT IN ({OF_PLAY})", BY_PREFIX, BY_PREFIX),
            INDEXES.format(f"kind IN ({BEFORE})", BY_LIST, BY_LIST),
        )
    ]
