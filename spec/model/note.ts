/**
 * Notes: what a service does where the specification is silent, as data. Sentences are made of them where they are
 * shown; profiles compare them with what a vendor promises.
 */

/** What a length limit may count, from the unit that counts fewest to the one that counts most. */
export const LENGTH_UNITS = ["graphemes", "code-points", "utf-16", "bytes"] as const;
export type LengthUnit = (typeof LENGTH_UNITS)[number];

/** The status that something was answered with: 2xx says that it is taken, 4xx that it is not. */
interface Answered {
  status: number;
}
/** Names, versions, fields or headers that were seen; none is an empty list. */
interface Names {
  names: readonly string[];
}
/** A value that was shown; absent where there was none. */
interface Shown {
  shows?: unknown;
}
interface Word<W extends string> {
  word: W;
}
/** The statuses of two calls that are compared. */
interface TwoStatuses {
  statuses: readonly [number, number];
}

/** By practice, as profiles name them where they can promise one: what there is to say of it. */
export interface NoteAnswers {
  // What is taken or refused.
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
  /** A value that breaks a rule, where the specification does not say that it is refused. */
  brokenParameter: Answered;
  brokenField: Answered;
  countsCharactersAs: Answered & { unit: LengthUnit };
  rejection: Answered;
  // What differs from service to service.
  idempotencyReplay: Answered;
  uniqueValuesInOtherCasing: TwoStatuses;
  emptyUniqueValues: TwoStatuses;
  longUnknownSpace: TwoStatuses;
  nullInUpdate: Word<"kept" | "removed"> | Required<Shown>;
  updateMetadata: Word<"merged" | "replaced">;
  defaultInUpdate: Shown;
  initialValue: Shown;
  totalElsewhere: Word<"present" | "absent">;
  nextWithoutCursor: Word<"none" | "cursor">;
  beforePage: Word<"nearest" | "first" | "other">;
  callbackAddress: Word<"accepted">;
  rateLimit: Word<"none seen" | "with Retry-After" | "without Retry-After">;
  challenge: Answered & { scheme: string };
  errorBody: Word<string>;
  updateDelay: { milliseconds: number };
  // What is seen of something that is nowhere listed.
  defaultVersion: Names & { all: boolean };
  undocumentedFields: Names;
  unseenFields: Names;
  openValues: Names;
  deliveryMethod: Names;
  deliveryHeaders: Names;
  deliveryBody: Names;
  /** Names of headers; the empty one for none. */
  deliverySignature: Names;
}

export type NotedPractice = keyof NoteAnswers;

interface NoteOf<P extends NotedPractice> {
  requirement: string;
  /** `METHOD path`; empty where it is about the service as a whole. */
  operation: string;
  practice: P;
  /** The field or parameter that it is about, where it is about one. */
  field?: string;
  /** What was tried, for people, where there are several such things. */
  tried?: string;
  answer: NoteAnswers[P];
}

/** What was seen of one practice at one operation. */
export type Note<P extends NotedPractice = NotedPractice> = { [K in P]: NoteOf<K> }[P];
