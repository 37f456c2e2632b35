/** The service of a library, with its data in memory. It does not load the files in test/editions/library. */

import { randomUUID } from "node:crypto";
import { isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import { demand, parsed, refusingServer } from "../suites/refusing-server.ts";
import type { Asked, TinyAnswer, TinyServer } from "../suites/tiny-server.ts";

export const TOKEN = "library-token-7q2k";
export const BRANCH = "br_ost_0001";
export const OTHER_BRANCH = "br_sud_0002";

/** The bugs that can be switched on. Each changes one place in the code below. */
export const BUGS = [
  "years of 2101 are taken",
  "a price of a thousand is taken",
  "a price of 7 cents is taken",
  "a subject may stand twice",
  "sizes take other fields",
  "an author without a name is taken",
  "any binding is taken",
  "the same ISBN is taken twice",
  "a second request makes a second book",
  "any text is a request id",
  "the year is no filter",
  "loans for reading only are lent too",
  "books are not lent by default",
  "a page has six books by default",
  "a page has as many books as is asked for",
  "the last page of loans is left out",
  "the author's birthday is lost",
  "a replaced price is not stored",
  "an extension forgets the note",
  "an extended loan begins anew",
  "unknown book numbers are read as far as they are numbers",
  "former members are members",
  "the total is text",
  "every day is a day",
  "a loan is ended without a token",
  "a book lists the loans of all books",
  "a loan is read with any book",
  "a book that is not there is lent",
  "a binding needs no kind",
  "a member is left out of a grade",
  "books of all branches are lent",
] as const;
export type Bug = (typeof BUGS)[number];

interface Branch {
  name: string;
  books: JsonObject[];
  loans: JsonObject[];
  requests: Map<string, { body: string; answer: TinyAnswer }>;
}

export async function startLibrary(bug?: Bug): Promise<TinyServer> {
  const library = new Library(bug);
  return refusingServer((asked) => library.answer(asked));
}

const GENRES = ["novel", "poetry", "atlas"];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const membersOf = (branch: string) =>
  ["active", "active", "active", "former"].map((status, n) => ({
    code: `${branch.slice(3, 6)}-${n}`,
    name: `Member ${n}`,
    status,
    grade: n % 2 ? "senior" : "junior",
  }));

const characters = (value: unknown) => (typeof value === "string" ? [...value].length : Number.NaN);
const isText = (value: unknown, least: number, most: number) =>
  characters(value) >= least && characters(value) <= most;
const isWhole = (value: unknown, least: number, most: number) =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
const isDate = (value: unknown) =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value;
const isInstant = (value: unknown) =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
  isDate(value.slice(0, 10)) &&
  !Number.isNaN(Date.parse(value));

class Library {
  readonly #bug: Bug | undefined;
  readonly #branches = new Map<string, Branch>();
  readonly #cursors = new Map<string, { of: string; from: number }>();
  #made = 1000;

  constructor(bug: Bug | undefined) {
    this.#bug = bug;
    for (const name of [BRANCH, OTHER_BRANCH]) {
      const branch: Branch = { name, books: [], loans: [], requests: new Map() };
      this.#branches.set(name, branch);
      for (let n = 0; n < 13; n++) {
        this.#add(branch, {
          title: `Atlas ${n} of ${name}`,
          isbn: `978${String(this.#made).padStart(10, "0")}`,
          authors: [{ name: "A. Nonymous" }],
          year: 1990 + (n % 3),
          genre: GENRES[n % 3],
          loanable: n % 4 !== 0,
        });
      }
    }
  }

  #has(bug: Bug): boolean {
    return this.#bug === bug;
  }

  answer(asked: Asked): TinyAnswer {
    const { method, path, headers } = asked;
    const [, first = "", number, loans, loan, ...rest] = path.split("/");
    demand(rest.length === 0, 404);
    if (path === "/opening-hours" && method === "GET") return this.#hours(asked);
    const ending = this.#has("a loan is ended without a token") && method === "DELETE";
    const [, token] = /^bearer +(.*)$/i.exec(headers.authorization ?? "") ?? [];
    demand(ending || token === TOKEN, 401);
    const name = String(headers["x-branch"] ?? "");
    demand(/^br_[a-z]{3}_\d{4}$/.test(name));
    const branch = this.#branches.get(name);
    demand(branch !== undefined, 404);
    if (first === "members" && number === undefined && method === "GET") return this.#members(asked, branch);
    demand(first === "books", 404);
    const version = headers["api-version"];
    if (loan === undefined) {
      const versions = loans === undefined ? ["2026-09", "2027-03"] : ["2027-03"];
      demand((version === undefined && loans === undefined) || versions.includes(String(version)));
    }
    if (number === undefined) {
      if (method === "GET") return this.#listBooks(asked, name, branch);
      demand(method === "POST", 405);
      return this.#createBook(asked, branch);
    }
    const no = this.#has("unknown book numbers are read as far as they are numbers")
      ? String(Number.parseInt(decode(number), 10))
      : decode(number);
    const found = branch.books.find((each) => String(each.book_no) === no);
    const lends = loans !== undefined && method === "POST" && this.#has("a book that is not there is lent");
    const lentAnywhere =
      loans !== undefined && method === "POST" && this.#has("books of all branches are lent");
    const otherBooks = lentAnywhere ? [...this.#branches.values()].flatMap(({ books }) => books) : [];
    const book =
      found ??
      (lends ? branch.books[0] : undefined) ??
      otherBooks.find((each) => String(each.book_no) === no);
    demand(book !== undefined, 404);
    if (loans === undefined) {
      if (method === "GET") return one(book);
      demand(method === "PUT", 405);
      return this.#replace(asked, branch, book);
    }
    demand(loans === "loans", 404);
    if (loan === undefined) {
      if (method === "GET") return this.#listLoans(asked, name, branch, book);
      demand(method === "POST", 405);
      const home = [...this.#branches.values()].find(({ books }) => books.includes(book));
      return this.#lend(asked, home ?? branch, book);
    }
    const lent = branch.loans.find((each) => each.loan_id === decode(loan));
    demand(lent !== undefined, 404);
    const isRead = method === "GET" && this.#has("a loan is read with any book");
    demand(lent.book_no === book.book_no || isRead, 404);
    if (method === "GET") return one(lent);
    if (method === "DELETE") {
      branch.loans = branch.loans.filter((each) => each !== lent);
      return { status: 204 };
    }
    demand(method === "PATCH", 405);
    return this.#extend(asked, lent);
  }

  #hours({ query }: Asked): TinyAnswer {
    const day = query.get("day");
    demand(this.#has("every day is a day") ? day !== null : isDate(day));
    return one({ day: isDate(day) ? day : "2027-01-01", from: "10:00", to: "18:00" });
  }

  #members({ query }: Asked, { name }: Branch): TinyAnswer {
    const [status, grade, sort] = ["status", "grade", "sort"].map((each) => query.get(each));
    demand(status === "active" || status === "former");
    demand(sort === "code" || sort === "name");
    demand(grade === null || grade === "junior" || grade === "senior");
    const lost = grade !== null && this.#has("a member is left out of a grade") ? 1 : 0;
    const members = membersOf(name)
      .filter((each) => each.status === status || this.#has("former members are members"))
      .filter((each) => grade === null || each.grade === grade)
      .slice(lost);
    return { status: 200, body: { result: members, pagination: { count: members.length, next: null } } };
  }

  #add(branch: Branch, fields: JsonObject): JsonObject {
    const lent = !this.#has("books are not lent by default");
    const book = { book_no: this.#made++, loanable: lent, added: new Date().toISOString(), ...fields };
    branch.books.push(book);
    return book;
  }

  /** Returns a page of items. A cursor is valid only for the list and query that it was issued for. */
  #page(items: JsonObject[], of: string, { query }: Asked, size: number, total?: unknown): TinyAnswer {
    const given = query.get("cursor");
    const cursor = given === null ? { of, from: 0 } : this.#cursors.get(given);
    demand(cursor !== undefined && cursor.of === of);
    const page = items.slice(cursor.from, cursor.from + size);
    let next: string | null = null;
    if (items.length > cursor.from + size) {
      next = `c-${randomUUID()}`;
      this.#cursors.set(next, { of, from: cursor.from + size });
    }
    return {
      status: 200,
      body: {
        result: page,
        pagination: { count: page.length, next, ...(total === undefined ? {} : { total }) },
      },
    };
  }

  #listBooks(asked: Asked, name: string, branch: Branch): TinyAnswer {
    const { query } = asked;
    const asks = query.get("page_size");
    demand(asks === null || /^[1-9]\d*$/.test(asks));
    const free = this.#has("a page has as many books as is asked for");
    demand(asks === null || (Number(asks) >= 2 && (free || Number(asks) <= 20)));
    const [genre, year, loanable] = ["genre", "year", "loanable"].map((each) => query.get(each));
    demand(genre === null || GENRES.includes(String(genre)));
    demand(year === null || /^-?\d+$/.test(String(year)));
    demand(loanable === null || loanable === "true" || loanable === "false");
    const found = branch.books.filter(
      (book) =>
        (genre === null || book.genre === genre) &&
        (year === null || book.year === Number(year) || this.#has("the year is no filter")) &&
        (loanable === null ||
          book.loanable === (loanable === "true") ||
          (loanable === "false" && this.#has("loans for reading only are lent too"))),
    );
    const total = this.#has("the total is text") ? String(found.length) : found.length;
    const size = Number(asks ?? (this.#has("a page has six books by default") ? 6 : 5));
    return this.#page(found, JSON.stringify(["books", name, genre, year, loanable]), asked, size, total);
  }

  #createBook({ headers, body }: Asked, branch: Branch): TinyAnswer {
    const id = String(headers["request-id"] ?? "");
    demand(UUID.test(id) || (id !== "" && this.#has("any text is a request id")));
    const known = branch.requests.get(id);
    if (known && !this.#has("a second request makes a second book")) {
      demand(sameJson(parsed({ headers, body }), JSON.parse(known.body)), 409);
      return known.answer;
    }
    const sent = parsed({ headers, body });
    demand("title" in sent && "isbn" in sent && "authors" in sent);
    demand(typeof sent.isbn === "string" && /^97[89]\d{10}$/.test(sent.isbn));
    this.#check(sent);
    const taken = branch.books.some((book) => book.isbn === sent.isbn);
    demand(
      !taken ||
        ["the same ISBN is taken twice", "a second request makes a second book"].includes(this.#bug ?? ""),
      409,
    );
    const fields = pick(sent, [
      ...["title", "isbn", "authors", "year", "genre", "loanable"],
      ...["price", "contact", "subjects", "size", "binding", "series"],
    ]);
    const made = this.#add(branch, fields);
    if (this.#has("the author's birthday is lost"))
      made.authors = (made.authors as JsonObject[]).map(({ name }) => ({ name }));
    const answer = one({ ...made });
    branch.requests.set(id, { body, answer });
    return answer;
  }

  #replace({ headers, body }: Asked, branch: Branch, book: JsonObject): TinyAnswer {
    const sent = pick(parsed({ headers, body }), ["title", "authors", "genre", "price"]);
    demand("title" in sent && "authors" in sent);
    this.#check(sent);
    const { genre: _, price, ...kept } = book;
    const replaced = { ...kept, ...sent };
    const stored = this.#has("a replaced price is not stored") ? { ...replaced, price } : replaced;
    branch.books = branch.books.map((each) => (each === book ? stored : each));
    return one(replaced);
  }

  #check(sent: JsonObject): void {
    const { title, authors, year, genre, loanable, price, contact, subjects, size, binding, series } = sent;
    if (title !== undefined) demand(isText(title, 1, 60));
    if (authors !== undefined) {
      demand(Array.isArray(authors) && authors.length >= 1 && authors.length <= 3);
      for (const author of authors) {
        demand(isObject(author));
        const nameless = this.#has("an author without a name is taken") && author.name === undefined;
        demand(nameless || isText(author.name, 1, 40));
        demand(author.born === undefined || isDate(author.born));
      }
    }
    if (year !== undefined) demand(isWhole(year, 1450, this.#has("years of 2101 are taken") ? 2101 : 2100));
    if (genre !== undefined) demand(GENRES.includes(genre as string));
    if (loanable !== undefined) demand(typeof loanable === "boolean");
    if (price !== undefined) this.#checkPrice(price);
    if (contact !== undefined && contact !== null)
      demand(isText(contact, 3, 80) && /^[^@\s]+@[^@\s]+\.[a-z]+$/.test(String(contact)));
    if (subjects !== undefined) {
      demand(Array.isArray(subjects) && subjects.length <= 4);
      demand(subjects.every((each) => isText(each, 2, 40)));
      demand(new Set(subjects).size === subjects.length || this.#has("a subject may stand twice"));
    }
    if (size !== undefined) {
      demand(isObject(size) && isWhole(size.height, 10, 900) && isWhole(size.width, 10, 900));
      demand(Number(size.height) % 5 === 0);
      demand(Object.keys(size).length === 2 || this.#has("sizes take other fields"));
    }
    if (binding !== undefined && !this.#has("any binding is taken")) {
      demand(isObject(binding));
      const hard = binding.kind === "hard" && isWhole(binding.boards, 1, Number.MAX_SAFE_INTEGER);
      const isOpen = binding.kind === undefined && this.#has("a binding needs no kind");
      demand(hard || binding.kind === "soft" || isOpen);
    }
    for (let each = series; each !== undefined; each = each.within)
      demand(isObject(each) && isText(each.name, 1, 40));
  }

  #checkPrice(price: unknown): void {
    demand(typeof price === "number" && price > 0);
    demand(price < 1000 || (price === 1000 && this.#has("a price of a thousand is taken")));
    const steps = price / 0.05;
    demand(Math.abs(steps - Math.round(steps)) < 1e-6 || this.#has("a price of 7 cents is taken"));
  }

  #listLoans(asked: Asked, name: string, branch: Branch, book: JsonObject): TinyAnswer {
    const asks = asked.query.get("page_size");
    demand(asks === null || /^[1-9]\d*$/.test(asks));
    const size = Math.min(Number(asks ?? 4), 50);
    const isOfAll = this.#has("a book lists the loans of all books");
    const loans = branch.loans.filter((each) => isOfAll || each.book_no === book.book_no);
    const shown = this.#has("the last page of loans is left out") ? loans.slice(0, -1) : loans;
    return this.#page(shown, JSON.stringify(["loans", name, book.book_no]), asked, size);
  }

  #lend({ headers, body }: Asked, branch: Branch, book: JsonObject): TinyAnswer {
    const sent = parsed({ headers, body });
    demand(membersOf(branch.name).some(({ code, status }) => code === sent.member && status === "active"));
    this.#checkLoan(sent);
    demand("due" in sent);
    const loan = {
      loan_id: randomUUID(),
      book_no: book.book_no,
      begun: new Date().toISOString(),
      note: null,
      ...pick(sent, ["member", "due", "note"]),
    };
    branch.loans.push(loan);
    return one({ ...loan });
  }

  #extend({ headers, body }: Asked, loan: JsonObject): TinyAnswer {
    const sent = pick(parsed({ headers, body }), ["due", "note"]);
    this.#checkLoan(sent);
    if (this.#has("an extension forgets the note")) loan.note = null;
    if (this.#has("an extended loan begins anew"))
      loan.begun = new Date(Date.now() + ++this.#made).toISOString();
    Object.assign(loan, sent);
    return one({ ...loan });
  }

  #checkLoan({ due, note }: JsonObject): void {
    if (due !== undefined) demand(isInstant(due));
    if (note !== undefined && note !== null) demand(isText(note, 0, 50));
  }
}

function pick(from: JsonObject, names: string[]): JsonObject {
  return Object.fromEntries(
    names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]),
  );
}

function one(result: JsonObject): TinyAnswer {
  return { status: 200, body: { result } };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
