/** Returns `application/json` for `application/json; charset=utf-8`. */
export function mediaType(value: string | undefined): string | undefined {
  return value?.split(";")[0]?.trim().toLowerCase();
}
