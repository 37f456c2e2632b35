export function mediaType(value: string | undefined): string | undefined {
  return value?.split(";")[0]?.trim().toLowerCase();
}
