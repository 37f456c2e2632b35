export function inCi(environment: NodeJS.ProcessEnv): boolean {
  const value = environment.CI;
  return value !== undefined && !["", "0", "false"].includes(value.toLowerCase());
}
