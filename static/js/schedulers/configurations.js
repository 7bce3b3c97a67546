// What a scheduler's configuration is called and how one begins, for the editor of scenarios. To add a scheduler: its own
// `configuration.js`, and its name in CONFIGURATIONS. Pure.

import { hami } from "./hami/configuration.js";
import { volcano } from "./volcano/configuration.js";

/**
 * `of`: the scheduler that a cluster's configuration is for; `document`: how REST calls it in a version; `object`: what its
 * problems are about; `beginning`: how it begins, for who writes one; `form`, where there is one: what draws it as a form.
 */
const OF_KUBE = {
  of: "kube-scheduler",
  document: "KubeSchedulerConfiguration",
  object: "KubeSchedulerConfiguration",
  beginning: "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration",
};
const CONFIGURATIONS = [OF_KUBE, volcano, hami];

/** The configuration that a version reads; kube-scheduler's for one that isn't known. */
export function configurationOf({ configuration }) {
  return CONFIGURATIONS.find(({ document }) => document === configuration) ?? OF_KUBE;
}

/** The configuration of a scheduler, as a cluster calls it; undefined for one that isn't known. */
export const configurationFor = (scheduler) => CONFIGURATIONS.find(({ of }) => of === scheduler);

/** What problems of configurations are about. */
export const OBJECTS = CONFIGURATIONS.map(({ object }) => object);
