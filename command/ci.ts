/** True if the environment sets `CI`, as nearly all CI servers do. */
export function inCi(environment: NodeJS.ProcessEnv): boolean {
  const value = environment.CI;
  return value !== undefined && !["", "0", "false"].includes(value.toLowerCase());
}
