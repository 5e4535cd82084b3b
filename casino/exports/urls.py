"""URLs of reports, exports and archived exports."""

from django.urls import path, re_path

from casino.exports import evidence_views, report_list_views, report_views, views

urlpatterns = [
    path("reports/", report_list_views.index, name="reports"),
    path("exports/", views.exports_page, name="exports"),
    path("evidence/", evidence_views.order, name="evidence"),
    path("exports/verify_export.py", views.verifier, name="export_verifier"),
    path("exports/verify_proof.py", views.proof_verifier, name="proof_verifier"),
    path("exports/<int:id>/", views.export, name="export"),
    path("exports/<int:id>/state/", views.state, name="export_state"),
    path("exports/<int:id>/file/", views.file, name="export_file"),
    path("exports/<int:id>/manifest/", views.manifest, name="export_manifest"),
    path("exports/<int:id>/retry/", views.retry, name="export_retry"),
    path("exports/<int:id>/again/", views.rebuild, name="export_again"),
    re_path("^reports/kept/(?P<path>.*)$", views.redirect_earlier_address, name="kept_report"),
    path("reports/<str:name>/preferences/", report_list_views.change_preferences, name="report_preferences"),
    path("reports/<str:name>/keep/", views.archive_report, name="report_keep"),
    path("reports/<str:name>/", report_views.report, name="report"),
    path("reports/<str:name>/<str:format>/", report_views.file, name="report_file"),
]
