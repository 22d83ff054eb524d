/** Parts of the Docker Engine API that are used here, as versions 1.41 to 1.51 and Podman send them. */

export interface ContainerInspect {
  Id: string;
  Name: string;
  State: {
    /** created, running, paused, restarting, removing, exited or dead; Podman has more. */
    Status: string;
    OOMKilled?: boolean;
    ExitCode?: number;
    /** The daemon's own text about a failed start. */
    Error?: string;
    StartedAt?: string;
  };
  Config: { Hostname?: string; Env?: string[] | null; Labels?: Record<string, string> | null };
  NetworkSettings?: { Networks?: Record<string, { NetworkID?: string; IPAddress?: string }> | null };
}

export interface ListedContainer {
  Id: string;
  Names?: string[];
  Labels?: Record<string, string> | null;
}

export interface ListedNetwork {
  Id: string;
  Name: string;
  Created?: string;
  Labels?: Record<string, string> | null;
  IPAM?: { Config?: { Subnet?: string; Gateway?: string }[] | null } | null;
}

/** Containers that run, by their ids. */
export interface InspectedNetwork {
  Containers?: Record<string, { Name?: string }> | null;
}

/** A line of `GET /events`. */
export interface DaemonEvent {
  Actor?: { Attributes?: Record<string, string> | null };
}

/** A line of `POST /images/create`, which reports failures inside a 200. */
export interface PullProgress {
  error?: string;
  errorDetail?: { message?: string };
}

export interface NewContainer {
  Image: string;
  User: string;
  Env: string[];
  Labels: Record<string, string>;
  StopTimeout: number;
  HostConfig: Record<string, unknown>;
  NetworkingConfig: { EndpointsConfig: Record<string, object> };
}
