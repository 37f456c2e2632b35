/** Units of length limits, from the smallest count to the largest. */
export const LENGTH_UNITS = ["graphemes", "code-points", "utf-16", "bytes"] as const;
export type LengthUnit = (typeof LENGTH_UNITS)[number];

interface Answered {
  status: number;
}
interface Names {
  names: readonly string[];
}
interface ShownValue {
  shows?: unknown;
}
interface Word<W extends string> {
  word: W;
}
interface TwoStatuses {
  statuses: readonly [number, number];
}

export interface NoteAnswers {
  unknownBodyFields: Answered;
  emptyTexts: Answered;
  awkwardValues: Answered;
  unheardOfValues: Answered;
  lowerCaseCodes: Answered;
  idsInOtherCasing: Answered;
  missingContentType: Answered;
  emptyParameters: Answered;
  unusualNumbers: Answered;
  repeatedParameters: Answered & { items?: number };
  emptyVersion: Answered;
  keysAfterRejection: Answered;
  keysOnAnotherOperation: Answered;
  keysInAnotherSpace: Answered;
  keysInUnknownSpace: Answered;
  changesAfterCancel: Answered;
  namedOperations: Answered;
  paths: Answered;
  /** The answer to an invalid value that a service may accept. */
  brokenParameter: Answered;
  brokenField: Answered;
  countsCharactersAs: Answered & { unit: LengthUnit };
  rejection: Answered;
  idempotencyReplay: Answered;
  uniqueValuesInOtherCasing: TwoStatuses;
  emptyUniqueValues: TwoStatuses;
  longUnknownSpace: TwoStatuses;
  nullInUpdate: Word<"kept" | "removed"> | Required<ShownValue>;
  updateMetadata: Word<"merged" | "replaced">;
  defaultInUpdate: ShownValue;
  initialValue: ShownValue;
  totalElsewhere: Word<"present" | "absent">;
  nextWithoutCursor: Word<"none" | "cursor">;
  beforePage: Word<"nearest" | "first" | "other">;
  callbackAddress: Word<"accepted">;
  rateLimit: Word<"none seen" | "with Retry-After" | "without Retry-After">;
  challenge: Answered & { scheme: string };
  errorBody: Word<string>;
  updateDelay: { milliseconds: number };
  defaultVersion: Names & { all: boolean };
  undocumentedFields: Names;
  unseenFields: Names;
  openValues: Names;
  deliveryMethod: Names;
  deliveryHeaders: Names;
  deliveryBody: Names;
  /** Names of signature headers. An empty name stands for none. */
  deliverySignature: Names;
}

export type ObservedBehaviour = keyof NoteAnswers;

interface NoteOf<P extends ObservedBehaviour> {
  requirement: string;
  /** `METHOD path`, or empty for the whole service. */
  operation: string;
  behaviour: P;
  field?: string;
  /** The case that was tested, if the behaviour has several. */
  tried?: string;
  answer: NoteAnswers[P];
}

export type Note<P extends ObservedBehaviour = ObservedBehaviour> = { [K in P]: NoteOf<K> }[P];
