/** Values for Authorization that are no valid bearer token (section 5), made of one that is. */

/** The value of an Authorization header; null sends none. Undefined where the token can't be altered so. */
export type MakeHeader = (token: string, mark: string) => string | null | undefined;

/** No header at all. */
export const noHeader: MakeHeader = () => null;

/** An empty header, which is a missing one. */
export const emptyHeader: MakeHeader = () => "";

/** A token that nobody has. */
export const unknownToken: MakeHeader = (_, mark) => `Bearer conformance-unknown-${mark}`;

/** The scheme, and no token. */
export const emptyToken: MakeHeader = () => "Bearer";

/** The token without its last character. */
export const cutShort: MakeHeader = (token) =>
  token.length < 2 ? undefined : `Bearer ${token.slice(0, -1)}`;

/** The token with a character behind it. */
export const appended: MakeHeader = (token) => `Bearer ${token}x`;

/** The token with capitals for small letters and the reverse. */
export const otherCasing: MakeHeader = (token) =>
  swapCase(token) === token ? undefined : `Bearer ${swapCase(token)}`;

/** The token as the name of a user, as Basic encodes it. */
export const basicCredentials: MakeHeader = (token) => `Basic ${Buffer.from(`${token}:`).toString("base64")}`;

/** The token as it is under the name of the Basic scheme. */
export const basicToken: MakeHeader = (token) => `Basic ${token}`;

/** The token alone. */
export const bareToken: MakeHeader = (token) => token;

function swapCase(text: string): string {
  return text.replace(/[a-z]+|[A-Z]+/g, (part) =>
    part === part.toLowerCase() ? part.toUpperCase() : part.toLowerCase(),
  );
}
