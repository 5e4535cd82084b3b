"""The addresses under /api/v1/."""

from django.urls import path

from casino.api.door import Facts
from casino.api.index import Index
from casino.api.lists import LISTS, listing
from casino.api.reports import KeptReport, KeptReports, OneReport, Reports
from casino.api.schema import Schema, docs
from casino.api.tables import OpenTable

urlpatterns = [
    path("", Index.as_view(), name="api-index"),
    path("schema", Schema.as_view(), name="api-schema"),
    path("docs/", docs, name="api-docs"),
    path("facts", Facts.as_view(), name="api-facts"),
    *(path(address, listing(name).as_view(), name=f"api-{address}") for address, name in LISTS.items() if address != "facts"),
    path("reports", Reports.as_view(), name="api-reports"),
    path("reports/kept", KeptReports.as_view(), name="api-kept-reports"),
    path("reports/kept/<int:id>", KeptReport.as_view(), name="api-kept-report"),
    path("reports/<str:name>", OneReport.as_view(), name="api-report"),
    path("tables/<str:property>/<str:table>", OpenTable.as_view(), name="api-table"),
]
