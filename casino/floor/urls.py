"""URLs of the floor."""

from django.urls import path

from casino.floor import board_stream, board_views, form_views

TABLE = "<str:property>/<str:table>"
urlpatterns = [
    path("floor/", board_views.board, name="floor"),
    path("floor/news/", board_views.news, name="floor_news"),
    path("floor/stream/", board_stream.stream, name="floor_stream"),
    path("floor/change/", form_views.change_shift, name="floor_change"),
    path(f"floor/{TABLE}/", board_views.table, name="floor_table"),
    path(f"floor/{TABLE}/open/", form_views.open_table, name="floor_open"),
    path(f"floor/{TABLE}/close/", form_views.close_table, name="floor_close"),
    path(f"floor/{TABLE}/seat/", form_views.seat, name="floor_seat"),
    path(f"floor/{TABLE}/limits/", form_views.limits, name="floor_limits"),
    path(f"floor/{TABLE}/tray/<str:tray_count>/", form_views.tray, name="floor_tray"),
]
