"""URLs of the boards and of the live wall."""

from django.urls import path

from casino.boards import board_views, wall_views

urlpatterns = [
    path("boards/", board_views.boards, name="boards"),
    path("boards/<str:name>/", board_views.board, name="board"),
    path("wall/", wall_views.wall, name="wall"),
    path("wall/news/", wall_views.news, name="wall_news"),
]
