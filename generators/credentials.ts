/** Values of Authorization that are no valid bearer token, derived from a valid one. */

/**
 * Makes the value of an Authorization header. Null sends none; undefined means that the token can't be altered like
 * this.
 */
export type MakeHeader = (token: string, mark: string) => string | null | undefined;

export const noHeader: MakeHeader = () => null;

export const emptyHeader: MakeHeader = () => "";

export const unknownToken: MakeHeader = (_, mark) => `Bearer conformance-unknown-${mark}`;

export const emptyToken: MakeHeader = () => "Bearer";

export const cutShort: MakeHeader = (token) =>
  token.length < 2 ? undefined : `Bearer ${token.slice(0, -1)}`;

export const appended: MakeHeader = (token) => `Bearer ${token}x`;

/** The token with upper and lower case swapped. */
export const otherCasing: MakeHeader = (token) =>
  swapCase(token) === token ? undefined : `Bearer ${swapCase(token)}`;

/** The token as the user name of Basic. */
export const basicCredentials: MakeHeader = (token) => `Basic ${Buffer.from(`${token}:`).toString("base64")}`;

/** The unchanged token with the scheme Basic. */
export const basicToken: MakeHeader = (token) => `Basic ${token}`;

/** The token without a scheme. */
export const bareToken: MakeHeader = (token) => token;

function swapCase(text: string): string {
  return text.replace(/[a-z]+|[A-Z]+/g, (part) =>
    part === part.toLowerCase() ? part.toUpperCase() : part.toLowerCase(),
  );
}
