{{- define "sandtable.labels" -}}
app.kubernetes.io/name: sandtable
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "sandtable.metadata" -}}
{{- include "sandtable.labels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* The environment of every part: addresses and keys out of the Secret, the rest out of the values. */}}
{{- define "sandtable.environment" -}}
{{- range $i, $name := list "DATABASE_URL" "SANDTABLE_BROKER_URL" "SANDTABLE_CHANNEL_LAYER_URL" "SANDTABLE_SECRET_KEY" "SANDTABLE_CLUSTER_KEY" }}
{{- if $i }}
{{ end -}}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: {name: {{ $.Values.existingSecret | quote }}, key: {{ $name }}}
{{- end }}
{{- if .Values.monitoring.serviceMonitor.enabled }}
{{- /* Prometheus asks each pod by its address. */}}
- name: POD_IP
  valueFrom:
    fieldRef: {fieldPath: status.podIP}
{{- end }}
- name: SANDTABLE_ALLOWED_HOSTS
  value: {{ .Values.monitoring.serviceMonitor.enabled | ternary (append .Values.hosts "$(POD_IP)") .Values.hosts | join "," | quote }}
- name: SANDTABLE_HTTPS
  value: {{ ternary "1" "0" .Values.https | quote }}
- name: SANDTABLE_TRUSTED_PROXIES
  value: {{ join "," .Values.trustedProxies | quote }}
- name: SANDTABLE_IN_CLUSTER
  value: {{ ternary "1" "0" .Values.readCluster.enabled | quote }}
- name: SANDTABLE_WORKERS
  value: {{ .Values.worker.runs | quote }}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* The pod of one part; called with a dict of `root`, `part`, `arguments` and, where they differ, `probes` and `account`. */}}
{{- define "sandtable.pod" -}}
{{- $values := .root.Values -}}
automountServiceAccountToken: {{ eq (default "" .account) "reader" }}
{{- if .account }}
serviceAccountName: {{ .root.Release.Name }}-{{ .account }}
{{- end }}
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with $values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
containers:
  - name: {{ .part }}
    image: "{{ $values.image.repository }}:{{ default .root.Chart.AppVersion $values.image.tag }}"
    imagePullPolicy: {{ $values.image.pullPolicy }}
    args: {{ toJson .arguments }}
    env:
      {{- include "sandtable.environment" .root | nindent 6 }}
      {{- if eq .part "web" }}
      - name: SANDTABLE_OIDC_CLIENT_SECRET
        valueFrom:
          secretKeyRef: {name: {{ $values.existingSecret | quote }}, key: SANDTABLE_OIDC_CLIENT_SECRET, optional: true}
      {{- if $values.oidc.caConfigMap }}
      - {name: SANDTABLE_OIDC_CA_FILE, value: /etc/sandtable/ca.crt}
      {{- end }}
      {{- end }}
    {{- with .probes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: {drop: [ALL]}
    resources:
      {{- toYaml (index $values .part "resources") | nindent 6 }}
    volumeMounts:
      - {name: data, mountPath: /data}
      - {name: tmp, mountPath: /tmp}
      {{- if and (eq .part "web") $values.oidc.caConfigMap }}
      - {name: oidc-ca, mountPath: /etc/sandtable, readOnly: true}
      {{- end }}
{{- if eq .part "web" }}
    ports:
      - {name: http, containerPort: 8000}
{{- end }}
volumes:
  - {name: data, emptyDir: {}}
  - {name: tmp, emptyDir: {}}
{{- if and (eq .part "web") $values.oidc.caConfigMap }}
  - {name: oidc-ca, configMap: {name: {{ $values.oidc.caConfigMap | quote }}}}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- with $values.affinity }}
affinity: {{ toJson . }}
{{- end }}
{{- end }}
