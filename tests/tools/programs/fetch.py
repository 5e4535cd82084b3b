"""Use the generated Python client like an integrator: fetch everything, order an export, post a hand.

Run by `test_clients.py` with the interpreter of the tools. Arguments: the server's address, and a file of
facts. `TOKEN` and `DEVICE_TOKEN` are the tokens of a person and of a device.
"""

import json
import os
import sys
from datetime import date

import made.models
from made import AuthenticatedClient
from made.api.exports import get_exports, get_exports_id_content, get_exports_id_manifest, post_exports
from made.api.facts import get_facts, post_facts
from made.api.findings import get_findings
from made.api.hold import get_hold
from made.api.journal import get_journal
from made.api.reports import get_reports_name
from made.models import GetReportsNameName, Order, OrderFormat, OrderWhat
from made.types import UNSET

address, hand = sys.argv[1:]
person = AuthenticatedClient(address, os.environ["TOKEN"], raise_on_unexpected_status=True)
device = AuthenticatedClient(address, os.environ["DEVICE_TOKEN"], raise_on_unexpected_status=True)


def listed(operation):
    """Return all items of a list, page by page."""
    items, cursor = [], UNSET
    while cursor is not None:
        page = operation.sync(client=person, page_size=40, cursor=cursor)
        items += page.items
        cursor = page.next_
    return items


def fact(line):
    """Convert a fact to the class that the generated client has for this kind of fact."""
    values = json.loads(line)
    name = "".join(part.capitalize() for part in values["kind"].split("-"))
    return getattr(made.models, name).from_dict(values)


days = {"from_": date(2026, 11, 1), "to": date(2026, 12, 1)}
hold = get_hold.sync(client=person, property_="aurora", **days)
drop = get_reports_name.sync(GetReportsNameName.TABLE_DROP, client=person, property_="aurora", **days)
journal = get_journal.sync(client=person, property_="aurora", **days)
findings, known = listed(get_findings), listed(get_facts)
order = Order(what=OrderWhat.TALLY, format_=OrderFormat.JSON, property_="aurora", **days)
export = post_exports.sync(client=person, body=order)
content = get_exports_id_content.sync_detailed(export.id, client=person)
manifest = get_exports_id_manifest.sync(export.id, client=person)
exports = [row.id for row in listed(get_exports)]
with open(hand, encoding="utf-8") as file:
    facts = [fact(line) for line in file]
posted = [post_facts.sync(client=device, body=facts) for _ in range(2)]
refused = post_facts.sync(client=person, body=facts)
print(
    json.dumps(
        {
            "hold": hold.to_dict()["rows"],
            "drop": drop.to_dict()["rows"],
            "findings": sorted(row.id for row in findings),
            "facts": sorted(str(row.uid) for row in known),
            "journal": {
                name: len(part) for name, part in journal.to_dict().items() if isinstance(part, list)
            },
            "export": [export.state, len(content.content), len(content.parsed.rows), manifest.to_dict()],
            "exports": exports,
            "posted": [[item.fresh for item in items] for items in posted],
            "refused": [refused.status, refused.code],
        }
    )
)
