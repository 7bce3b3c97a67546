// Volcano's configuration in the editor of scenarios (../configurations.js).

import { ConfigurationForm } from "./configuration-form.js";

export const volcano = {
  of: "volcano",
  document: "volcano-scheduler.conf",
  object: "Volcano's configuration",
  beginning: 'actions: "enqueue, allocate, backfill"\ntiers:\n- plugins:\n  - name: priority',
  form: ConfigurationForm,
};
