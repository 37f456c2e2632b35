/** The families: APIs that the suite was not written for, each with a service, its faults and its habits. */

import { FAULTS, HABITS } from "./clinic-faults.ts";
import { OTHER_PRACTICE, PRACTICE, startClinic, TOKEN } from "./clinic-service.ts";
import type { Fault } from "./faults.ts";
import * as harbourFaults from "./harbour-faults.ts";
import * as harbour from "./harbour-service.ts";
import * as orchardFaults from "./orchard-faults.ts";
import * as orchard from "./orchard-service.ts";
import type { Departure, Served } from "./serving.ts";
import * as theatreFaults from "./theatre-faults.ts";
import * as theatre from "./theatre-service.ts";

export interface Family {
  /** Paths of the two files of its edition, from test/editions. Some families use the package's requirements. */
  readonly openapi: string;
  readonly requirements: string;
  readonly token: string;
  readonly space: string;
  readonly secondSpace: string;
  readonly faults: readonly Fault[];
  /** Unusual behaviour that no sentence of its specification forbids. */
  readonly habits: readonly Departure[];
  start(departure?: Departure): Promise<Served>;
}

export const FAMILIES = {
  clinic: {
    ...{ openapi: "clinic/openapi.yaml", requirements: "clinic/requirements.yaml" },
    ...{ token: TOKEN, space: PRACTICE, secondSpace: OTHER_PRACTICE },
    ...{ faults: FAULTS, habits: HABITS, start: startClinic },
  },
  harbour: {
    ...{ openapi: "harbour/openapi.yaml", requirements: "../../spec/requirements.yaml" },
    ...{ token: harbour.TOKEN, space: harbour.PORT, secondSpace: harbour.OTHER_PORT },
    ...{ faults: harbourFaults.FAULTS, habits: harbourFaults.HABITS, start: harbour.startHarbour },
  },
  orchard: {
    ...{ openapi: "orchard/openapi.yaml", requirements: "../../spec/requirements.yaml" },
    ...{ token: orchard.TOKEN, space: orchard.ESTATE, secondSpace: orchard.OTHER_ESTATE },
    ...{ faults: orchardFaults.FAULTS, habits: orchardFaults.HABITS, start: orchard.startOrchard },
  },
  theatre: {
    ...{ openapi: "theatre/openapi.yaml", requirements: "../../spec/requirements.yaml" },
    ...{ token: theatre.TOKEN, space: theatre.VENUE, secondSpace: theatre.OTHER_VENUE },
    ...{ faults: theatreFaults.FAULTS, habits: theatreFaults.HABITS, start: theatre.startTheatre },
  },
} satisfies Record<string, Family>;

export type FamilyName = keyof typeof FAMILIES;
