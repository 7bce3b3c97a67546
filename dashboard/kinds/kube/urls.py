"""The addresses of kube-scheduler's own pages."""

from django.urls import path

from dashboard.kinds.kube.views import devices

urlpatterns = [path("snapshots/<int:pk>/devices/", devices.devices, name="snapshot-devices")]
