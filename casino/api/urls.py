"""The addresses under /api/v1/."""

from django.urls import path

from casino.api.door import Facts
from casino.api.index import Index
from casino.api.tables import OpenTable

urlpatterns = [
    path("", Index.as_view(), name="api-index"),
    path("facts", Facts.as_view(), name="api-facts"),
    path("tables/<str:property>/<str:table>", OpenTable.as_view(), name="api-table"),
]
