"""URLs of cases."""

from django.urls import path

from casino.cases import form_views, views

CASE = "cases/<str:property>/<str:number>"
urlpatterns = [
    path("cases/", views.cases, name="cases"),
    path("cases/new/", form_views.new, name="case_new"),
    path("cases/add/", form_views.add, name="case_add"),
    path(f"{CASE}/", views.case, name="case"),
    path(f"{CASE}/note/", form_views.note, name="case_note"),
    path(f"{CASE}/files/<str:digest>/", views.file, name="case_file"),
    path(f"{CASE}/<str:name>/", form_views.act, name="case_act"),
]
