import { inOtherCase } from "../../generators/text.ts";

const VARIABLES = ["PAYMENTS_CONFORMANCE_TOKEN", "PAYMENTS_CONFORMANCE_SECOND_TOKEN"] as const;
/**
 * The fewest characters of a token that is looked for in texts. A shorter token may occur in another text by
 * chance.
 */
const SHORTEST_TOKEN = 4;

/** Writes a credential for the shell, without the token (`Bearer ${PAYMENTS_CONFORMANCE_TOKEN%?}`). */
export function credentialRecipe(value: string, token: string, secondToken: string | undefined): string {
  const tokens = [token, secondToken];
  for (const [index, variable] of VARIABLES.entries()) {
    const known = tokens[index];
    if (known === undefined || known.length < SHORTEST_TOKEN) continue;
    const recipe = recipeFor(value, known, variable);
    if (recipe !== undefined) return recipe;
  }
  const [scheme = "", rest] = value.split(" ");
  if (rest === undefined || rest === "") return /^[A-Za-z]*$/.test(scheme) ? scheme : "unknown-token";
  return `${/^[A-Za-z]+$/.test(scheme) ? scheme : "Bearer"} unknown-token`;
}

/**
 * Returns the shell words that make the value from the variable with the token, or `undefined` if no known way
 * leads to it.
 */
function recipeFor(value: string, token: string, variable: string): string | undefined {
  const printed = `printf %s "$${variable}"`;
  const ways: [string, string][] = [
    [token, `\${${variable}}`],
    [inOtherCase(token), `$(${printed} | tr 'a-zA-Z' 'A-Za-z')`],
    [token.toUpperCase(), `$(${printed} | tr a-z A-Z)`],
    [token.toLowerCase(), `$(${printed} | tr A-Z a-z)`],
    [base64(`${token}:`), `$(printf '%s:' "$${variable}" | base64 | tr -d '\\n')`],
    [base64(token), `$(${printed} | base64 | tr -d '\\n')`],
    [token.slice(0, -1), `\${${variable}%?}`],
    [token.slice(1), `\${${variable}#?}`],
  ];
  for (const [part, shell] of ways) {
    const at = part.length < SHORTEST_TOKEN ? -1 : value.indexOf(part);
    if (at < 0) continue;
    const [before, after] = [value.slice(0, at), value.slice(at + part.length)];
    if (/^[A-Za-z]* *$/.test(before) && /^[\w-]{0,3}$/.test(after)) return `${before}${shell}${after}`;
  }
  return undefined;
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
