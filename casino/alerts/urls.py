"""URLs of alerts, webhooks and the delivery log."""

from django.urls import path

from casino.alerts import alert_views, webhook_views

urlpatterns = [
    path("alerts/", alert_views.alerts, name="alerts"),
    path("alerts/news/", alert_views.news, name="alerts_news"),
    path("alerts/mine/", alert_views.mine, name="alerts_mine"),
    path("alerts/rules/", alert_views.alert_rules, name="alert_rules"),
    path("alerts/webhooks/", webhook_views.webhooks, name="webhooks"),
    path("alerts/deliveries/", webhook_views.delivery_log, name="deliveries"),
]
