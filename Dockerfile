# One image for all parts: `sandtable part web` and so on. Needs /data (each container its own) and /tmp to be writable, nothing else.
ARG PYTHON=3.11.14-slim-bookworm

FROM python:${PYTHON} AS build
WORKDIR /src
RUN python -m venv --without-pip /opt/sandtable
COPY requirements.txt requirements-otel.txt ./
RUN pip --python /opt/sandtable/bin/python install --no-cache-dir --disable-pip-version-check --requirement requirements.txt --requirement requirements-otel.txt
COPY . .
RUN pip --python /opt/sandtable/bin/python install --no-cache-dir --disable-pip-version-check --no-deps .

FROM python:${PYTHON}
RUN pip uninstall --yes --root-user-action ignore pip setuptools wheel \
    && install --directory --owner 10001 --group 10001 --mode 0750 /data
COPY --from=build /opt/sandtable /opt/sandtable
# The data folder is one in the volume, since a volume may belong to root: the part makes it for itself alone.
ENV PATH=/opt/sandtable/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HOME=/tmp \
    DATA_DIR=/data/sandtable HOST=0.0.0.0 PORT=8000
USER 10001:10001
WORKDIR /tmp
VOLUME ["/data"]
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["sandtable", "healthy"]
ENTRYPOINT ["sandtable"]
CMD ["part", "web"]
