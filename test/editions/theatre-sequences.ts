/** Faults of the theatre desk that only a sequence of requests shows. */

import { type Fault, fault } from "./faults.ts";
import * as at from "./theatre-bodies.ts";

const { LIST_PLAYS, STAGE_PLAY, GET_PLAY, REVISE_PLAY, CLOSE_PLAY, LIST_NIGHTS, OPEN_NIGHT, GET_NIGHT } = at;
const { REPLAN_NIGHT, LIST_TICKETS, SELL_TICKET, GET_TICKET, AMEND_TICKET, VOID_TICKET, ADMIT_TICKET } = at;
const { LIST_HALLS, BUILD_HALL, GET_HALL, REBUILD_HALL, SHUT_HALL } = at;
const { LIST_PATRONS, ENROL_PATRON, GET_PATRON, CORRECT_PATRON, RENAME_PATRON } = at;

/** If a stored value changes without a request, the suite may report any of these requirements. */
const UNDONE =
  "CREATE-ECHO READ-STABLE READ-MATCHES-LIST UPDATE-KEEPS UPDATE-KEEPS-REST UPDATE-STORED UPDATE-IDENTITY";
const KEEPS = "UPDATE-KEEPS UPDATE-KEEPS-REST UPDATE-STORED UPDATE-IDENTITY";
const LOST = "CREATE-LISTED READ-ACCEPTED FILTER-COMPLETE LIST-SHOWS-ALL CURSOR-COMPLETE";
const STORED = "UPDATE-ECHO UPDATE-STORED";
const PLAYS = [STAGE_PLAY, GET_PLAY, REVISE_PLAY, CLOSE_PLAY, LIST_PLAYS];
const NIGHTS = [OPEN_NIGHT, GET_NIGHT, REPLAN_NIGHT, LIST_NIGHTS];
const TICKETS = [SELL_TICKET, GET_TICKET, AMEND_TICKET, ADMIT_TICKET, LIST_TICKETS];
const HALLS = [BUILD_HALL, GET_HALL, REBUILD_HALL, SHUT_HALL, LIST_HALLS];
const PATRONS = [ENROL_PATRON, GET_PATRON, CORRECT_PATRON, RENAME_PATRON, LIST_PATRONS];

const OF_PLAYS: readonly Fault[] = [
  fault("a revision of the staging drops the contact", KEEPS, REVISE_PLAY),
  fault("a revision of a closed play lets it run", KEEPS, REVISE_PLAY, CLOSE_PLAY),
  fault("opening on no day empties the site", KEEPS, REVISE_PLAY),
  fault("a revised matinee resets the rating", KEEPS, REVISE_PLAY),
  fault("the third revision undoes the second", KEEPS, REVISE_PLAY),
  fault("a revision rounds the shares of authors", KEEPS, REVISE_PLAY),
  fault("a revision was made before the staging", "TIMES-ORDERED", ...PLAYS),
  fault("a restaged play keeps the old sectors", STORED, REVISE_PLAY),
  fault("as many acts as before are not stored", "UPDATE-STORED", REVISE_PLAY),
  fault("a second contact is not stored", "UPDATE-STORED", REVISE_PLAY),
  fault("a cast is emptied by its second revision", "UPDATE-STORED", REVISE_PLAY),
  fault("a revision of the acts is for another play of the genre too", UNDONE, ...PLAYS),
  fault("a rejected revision stores the minutes", "UPDATE-NO-EFFECT", REVISE_PLAY),
  fault("one of two simultaneous revisions is lost", "UPDATE-STORED", REVISE_PLAY),
  fault("a revision from another house is refused and done", "ISOLATION-WRITES", REVISE_PLAY),
  fault("a play is read as it was before its last revision", "UPDATE-STORED", REVISE_PLAY, GET_PLAY),
  fault("looking at a play wears a role out", "READ-STABLE", GET_PLAY),
  fault("a refused duplicate frees the register", "UNIQUE-REJECTED", STAGE_PLAY),
  fault("closing frees the register", "UNIQUE-REJECTED", STAGE_PLAY),
  fault("a revision frees the register", "UNIQUE-REJECTED", STAGE_PLAY),
  fault("a new play takes the site of the one before", UNDONE, ...PLAYS),
  fault("every sixth play is stored without authors", UNDONE, ...PLAYS),
  fault("a house has thirty plays at most", LOST, ...PLAYS),
  fault("closing drops the cast", UNDONE, ...PLAYS),
  fault("closing cuts the acts after the first", UNDONE, ...PLAYS),
  fault("closing a revised play brings its first title back", UNDONE, ...PLAYS),
  fault("a second closing keeps the first day", UNDONE, CLOSE_PLAY),
  fault("closing gives the play before its title", UNDONE, ...PLAYS),
  fault("closing raises the price of the nights", UNDONE, CLOSE_PLAY, ...NIGHTS),
  fault("closing turns premieres of the play into other nights", UNDONE, CLOSE_PLAY, ...NIGHTS),
  fault("closing takes the nights away", LOST, CLOSE_PLAY, ...NIGHTS),
  fault("a closing is not stored", UNDONE, ...PLAYS),
  fault("a play stays filed under its first length", "FILTER-SOUND FILTER-COMPLETE", LIST_PLAYS),
  fault("a closed play is filed under running", "FILTER-SOUND FILTER-COMPLETE", LIST_PLAYS),
  fault("closed plays are not found by their genre", "FILTER-COMPLETE", LIST_PLAYS),
  fault("revised plays are listed apart", LOST, ...PLAYS),
  fault(
    "plays with a matinee are listed once and for all",
    `FILTER-SOUND FILTER-COMPLETE ${UNDONE}`,
    ...PLAYS,
  ),
  fault("a leaf forgets the filters", "CURSOR-FILTERED FILTER-SOUND", LIST_PLAYS),
  fault("a leaf is good in any house", "ISOLATION-LISTS", LIST_PLAYS),
  fault("a slip is forgotten once its play is closed", "KEY-REPLAY", STAGE_PLAY),
];

const OF_NIGHTS: readonly Fault[] = [
  fault("a refused night is kept", "CREATE-NO-EFFECT", OPEN_NIGHT),
  fault("a slot is taken within its play alone", "UNIQUE-REJECTED", OPEN_NIGHT),
  fault("a slot is taken in all houses", "UNIQUE-PER-SPACE", OPEN_NIGHT),
  fault("a fifth night pushes the first out", LOST, ...NIGHTS),
  fault("a new night ends the stream of the one before", UNDONE, ...NIGHTS),
  fault("a third night takes the tiers of the first", UNDONE, ...NIGHTS),
  fault("opening a night closes the matinee of its play", UNDONE, OPEN_NIGHT, ...PLAYS),
  fault("a replanned night is entered anew", "UPDATE-IDENTITY", REPLAN_NIGHT),
  fault("a replanned night is of another play", "UPDATE-IDENTITY", REPLAN_NIGHT),
  fault("an empty list of blocked seats keeps the old one", STORED, REPLAN_NIGHT),
  fault("a stream that is sent again is ended", STORED, REPLAN_NIGHT),
  fault("an ensemble is added to the old one", STORED, REPLAN_NIGHT),
  fault("a premiere stays one", "UPDATE-STORED", REPLAN_NIGHT),
  fault("tiers of as many names are not stored", "UPDATE-STORED", REPLAN_NIGHT),
  fault("a replanned night sets the price of the next", UNDONE, ...NIGHTS),
  fault("replanning a night takes its tickets away", LOST, REPLAN_NIGHT, ...TICKETS),
  fault("replanning a night drops the discounts of its first ticket", UNDONE, REPLAN_NIGHT, ...TICKETS),
  fault("a night is read once more as it was before", "UPDATE-STORED READ-STABLE", REPLAN_NIGHT, GET_NIGHT),
  fault("a replanning without a token is done", "AUTH-NO-EFFECT", REPLAN_NIGHT),
];

const OF_TICKETS: readonly Fault[] = [
  fault("a refused ticket is sold", "CREATE-NO-EFFECT", SELL_TICKET),
  fault("a ticket empties the remark of its night", UNDONE, SELL_TICKET, ...NIGHTS),
  fault("a ticket pays the one before", UNDONE, ...TICKETS),
  fault("a third ticket takes the extras of the first", UNDONE, ...TICKETS),
  fault("a holder keeps the mail of the first ticket", "CREATE-ECHO", SELL_TICKET),
  fault("a place is sold once more and the old ticket void", LOST, ...TICKETS),
  fault("an unpaid ticket was paid on no day", KEEPS, AMEND_TICKET),
  fault("an amended ticket is let out", KEEPS, AMEND_TICKET, ADMIT_TICKET),
  fault("the same discounts twice are none", STORED, AMEND_TICKET),
  fault("a time of null comes back with the next amendment", KEEPS, AMEND_TICKET),
  fault("an amendment forgets units of drinks", KEEPS, AMEND_TICKET),
  fault("as many extras as before are not stored", "UPDATE-STORED", AMEND_TICKET),
  fault("a new holder is that of all tickets of the row", UNDONE, ...TICKETS),
  fault("admitting an admitted ticket lets it out", UNDONE, ADMIT_TICKET),
  fault("an admitted ticket is paid", UNDONE, ...TICKETS),
  fault("admitting drops the wishes", UNDONE, ...TICKETS),
  fault("admitting a ticket twice drops its extras", UNDONE, ...TICKETS),
  fault("admitting a ticket pays the others of the night", UNDONE, ...TICKETS),
  fault("an admission is not stored", UNDONE, ...TICKETS),
  fault("voiding a ticket voids the next one too", LOST, VOID_TICKET, ...TICKETS),
  fault("a void ticket stays", "READ-UNKNOWN UPDATE-STORED", VOID_TICKET, GET_TICKET),
  fault("a ticket stays filed under unpaid", "FILTER-SOUND FILTER-COMPLETE", LIST_TICKETS),
  fault("listing paid tickets admits them", UNDONE, ...TICKETS),
  fault("the list of tickets ends after five", LOST, ...TICKETS),
  fault("a slip is forgotten once its ticket is amended", "KEY-REPLAY", SELL_TICKET),
  fault("simultaneous slips sell two tickets", "KEY-PARALLEL KEY-REPLAY", SELL_TICKET),
];

const OF_HALLS: readonly Fault[] = [
  fault("a refused duplicate renames the hall", `CREATE-NO-EFFECT ${UNDONE}`, ...HALLS),
  fault("the code of a shut hall is free", "UNIQUE-REJECTED", BUILD_HALL),
  fault("the code of a rebuilt hall is free", "UNIQUE-REJECTED", BUILD_HALL),
  fault("a code is taken by halls of its name alone", "UNIQUE-REJECTED", BUILD_HALL),
  fault("a code is taken in all houses", "UNIQUE-PER-SPACE", BUILD_HALL),
  fault("simultaneous halls get one code", "UNIQUE-PARALLEL", BUILD_HALL),
  fault("slips of halls are those of all houses", "ISOLATION-KEYS", BUILD_HALL),
  fault("a replay undoes the rebuilding of a hall", `KEY-REPLAY ${UNDONE}`, ...HALLS),
  fault("a new hall unwires the one before", UNDONE, ...HALLS),
  fault("a rejected rebuilding unwires the hall", "UPDATE-NO-EFFECT", REBUILD_HALL),
  fault("a rebuilt hall is open again", KEEPS, REBUILD_HALL),
  fault("a rebuilt hall is a year younger", "UPDATE-IDENTITY", REBUILD_HALL),
  fault("a rebuilt hall keeps its old hours", STORED, REBUILD_HALL),
  fault("a plan of one row more is cut", STORED, REBUILD_HALL),
  fault("a size is stored once", "UPDATE-STORED", REBUILD_HALL),
  fault("lamps of a rebuilt hall are stored at the first rebuilding alone", "UPDATE-STORED", REBUILD_HALL),
  fault("rebuilding a hall moves the next one to its floor", UNDONE, ...HALLS),
  fault("shutting a shut hall opens it", UNDONE, SHUT_HALL),
  fault("shutting drops the lamps", UNDONE, ...HALLS),
  fault("shutting unwires the hall", UNDONE, ...HALLS),
  fault("shutting keeps one row of the plan", UNDONE, ...HALLS),
  fault("one hall is shut at a time", UNDONE, ...HALLS),
  fault("a shutting is not stored", UNDONE, ...HALLS),
  fault("a hall is read from the first look on", "UPDATE-STORED", REBUILD_HALL, GET_HALL),
  fault("shut halls are not listed", LOST, ...HALLS),
  fault("pages of halls are shared by the houses for a second", "ISOLATION-LISTS", LIST_HALLS),
];

const OF_PATRONS: readonly Fault[] = [
  fault(
    "a nick that was given up stays taken",
    "CREATE-ACCEPTED UPDATE-ACCEPTED",
    ENROL_PATRON,
    RENAME_PATRON,
  ),
  fault("the nick of a corrected patron is free", "UNIQUE-REJECTED", ENROL_PATRON),
  fault("a new nick is not reserved", "UNIQUE-REJECTED", ENROL_PATRON),
  fault(
    "a patron may take the nick of another one",
    "UNIQUE-REJECTED UPDATE-INVALID",
    RENAME_PATRON,
    ENROL_PATRON,
  ),
  fault("a renamed patron is a guest", KEEPS, RENAME_PATRON),
  fault("a rejected nick locks the patron", "UPDATE-ACCEPTED", CORRECT_PATRON),
  fault("a second nick is not stored", "UPDATE-STORED", RENAME_PATRON),
  fault("a slip of patrons takes another body", "KEY-OTHER-BODY", ENROL_PATRON),
  fault("a replay enrols a second patron unseen", "KEY-REPLAY", ENROL_PATRON),
  fault("a new patron makes the one before a friend", UNDONE, ...PATRONS),
  fault("every fifth patron is stored without gifts", UNDONE, ...PATRONS),
  fault("a level of donor empties the addresses", KEEPS, CORRECT_PATRON),
  fault("a new name drops the day of birth", KEEPS, CORRECT_PATRON),
  fault("a corrected patron joins anew", "UPDATE-IDENTITY", CORRECT_PATRON),
  fault("a mail of null takes the gifts along", KEEPS, CORRECT_PATRON),
  fault("addresses in the same number are not stored", "UPDATE-STORED", CORRECT_PATRON),
  fault("gifts of a known year are not stored", "UPDATE-STORED", CORRECT_PATRON),
  fault("a patron is gone after the third correction", LOST, ...PATRONS),
  fault("patrons of a level are corrected together", UNDONE, ...PATRONS),
  fault("the list of patrons ends after nine", LOST, ...PATRONS),
];

export const SEQUENCES: readonly Fault[] = [
  ...OF_PLAYS,
  ...OF_NIGHTS,
  ...OF_TICKETS,
  ...OF_HALLS,
  ...OF_PATRONS,
];
