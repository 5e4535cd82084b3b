"""The pages below those of the navigation, which the search finds by a typed text."""

from __future__ import annotations

from typing import NamedTuple


class InnerPage(NamedTuple):
    """A page that another page leads to: the right to open it, its route with its arguments, and its title.

    Attributes:
        detail: the page of the navigation that leads to it.
    """

    act: str
    route: str
    label: str
    detail: str
    arguments: tuple[str, ...] = ()
    query: str = ""


INNER_PAGES = (
    *(
        InnerPage(act, "board", label, "Boards", (name,))
        for name, label, act in (
            ("dealers", "Dealers", "see-queue"),
            ("tables", "Tables", "see-queue"),
            ("games", "Games", "see-queue"),
            ("codes", "Codes", "see-queue"),
            ("controls", "Controls", "see-queue"),
            ("officers", "Officers", "see-findings"),
            ("exposure", "Exposure", "see-queue"),
        )
    ),
    InnerPage("see-alerts", "alerts_mine", "My alerts", "Alerts"),
    InnerPage("see-alerts", "alert_rules", "Alert rules", "Alerts"),
    InnerPage("see-alerts", "webhooks", "Webhooks", "Alerts"),
    InnerPage("see-alerts", "deliveries", "Deliveries of alerts", "Alerts"),
    InnerPage("see-log", "log_cameras", "Cameras", "Daily log"),
    InnerPage("see-log", "log_large_wins", "Large wins", "Daily log"),
    InnerPage("write-log", "log_write", "Write an entry", "Daily log"),
    InnerPage("write-log", "log_hand_over", "Hand over the shift", "Daily log"),
    InnerPage("see-hold", "where", "Where the hold went", "Hold"),
    InnerPage("see-hold", "review", "Statistical review", "Hold"),
    InnerPage("see-floor", "floor", "Map of the pits", "Floor", query="view=map"),
    InnerPage("see-cage", "cage_markers", "Markers", "Cage"),
    InnerPage("see-cage", "cage_deposits", "Deposits", "Cage"),
    InnerPage("close-day", "journal_accounts", "Chart of accounts", "Journal"),
)
