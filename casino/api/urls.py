"""URLs of the REST API, under /api/v1/."""

from django.urls import path

from casino.api.cases import CaseClose, CaseNotes, CaseParts, Cases, OneCase
from casino.api.certificates import Certificate, Certificates
from casino.api.details import OneFact, OneFinding, OneRound
from casino.api.exports import Content, Export, Exports, ManifestContent, Verifier
from casino.api.finding_changes import FindingChanges
from casino.api.index import Index
from casino.api.journal import TheJournal
from casino.api.ledger import Ledger
from casino.api.lists import LISTS, listing
from casino.api.post_facts import Facts
from casino.api.proofs import Checkpoints, ConsistencyProof, InclusionProof, ProofVerifier
from casino.api.push import Alerts, Deliveries, Events, Replays, Tests, Webhooks
from casino.api.reports import Hold, KeptReport, KeptReports, OneReport, Reports
from casino.api.schema import Schema, docs
from casino.api.search import RoundSearch
from casino.api.tables import OpenTable
from casino.web import url_parameters as url_parameters

urlpatterns = [
    path("", Index.as_view(), name="api-index"),
    path("schema", Schema.as_view(), name="api-schema"),
    path("docs/", docs, name="api-docs"),
    path("facts", Facts.as_view(), name="api-facts"),
    *(
        path(address, listing(name).as_view(), name=f"api-{address}")
        for address, name in LISTS.items()
        if address != "facts"
    ),
    path("facts/<uid:uid>", OneFact.as_view(), name="api-fact"),
    path("facts/<uid:uid>/proof", InclusionProof.as_view(), name="api-fact-proof"),
    path("checkpoints", Checkpoints.as_view(), name="api-checkpoints"),
    path("checkpoints/proof", ConsistencyProof.as_view(), name="api-consistency-proof"),
    path("checkpoints/verify_proof.py", ProofVerifier.as_view(), name="api-proof-verifier"),
    path("findings/changes", FindingChanges.as_view(), name="api-finding-changes"),
    path("findings/<path:id>", OneFinding.as_view(), name="api-finding"),
    path("rounds/search", RoundSearch.as_view(), name="api-round-search"),
    path("rounds/<str:property>/<str:table>/<str:day>/<path:round>", OneRound.as_view(), name="api-round"),
    path("journal", TheJournal.as_view(), name="api-journal"),
    path("ledger", Ledger.as_view(), name="api-ledger"),
    path("certificates", Certificates.as_view(), name="api-certificates"),
    path("certificates/<str:game>", Certificate.as_view(), name="api-certificate"),
    path("hold", Hold.as_view(), name="api-hold"),
    path("reports", Reports.as_view(), name="api-reports"),
    path("reports/kept", KeptReports.as_view(), name="api-kept-reports"),
    path("reports/kept/<int:id>", KeptReport.as_view(), name="api-kept-report"),
    path("reports/<str:name>", OneReport.as_view(), name="api-report"),
    path("exports", Exports.as_view(), name="api-exports"),
    path("exports/verify_export.py", Verifier.as_view(), name="api-export-verifier"),
    path("exports/<int:id>", Export.as_view(), name="api-export"),
    path("exports/<int:id>/content", Content.as_view(), name="api-export-content"),
    path("exports/<int:id>/manifest", ManifestContent.as_view(), name="api-export-manifest"),
    path("events", Events.as_view(), name="api-events"),
    path("alerts", Alerts.as_view(), name="api-alerts"),
    path("deliveries", Deliveries.as_view(), name="api-deliveries"),
    path("webhooks", Webhooks.as_view(), name="api-webhooks"),
    path("webhooks/<str:property>/<str:name>/tests", Tests.as_view(), name="api-webhook-tests"),
    path("webhooks/<str:property>/<str:name>/replays", Replays.as_view(), name="api-webhook-replays"),
    path("cases", Cases.as_view(), name="api-cases"),
    path("cases/<str:property>/<str:number>", OneCase.as_view(), name="api-case"),
    path("cases/<str:property>/<str:number>/parts", CaseParts.as_view(), name="api-case-parts"),
    path("cases/<str:property>/<str:number>/notes", CaseNotes.as_view(), name="api-case-notes"),
    path("cases/<str:property>/<str:number>/close", CaseClose.as_view(), name="api-case-close"),
    path("tables/<str:property>/<str:table>", OpenTable.as_view(), name="api-table"),
]
