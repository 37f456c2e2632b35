import type { Target } from "./target.ts";

interface Quota {
  asked: number;
  isExhausted: boolean;
  asking: Promise<boolean> | undefined;
}

/** Asks if the quota is exhausted, at most `most` times until it is. Simultaneous callers share an answer. */
export async function isExhausted(
  target: Target,
  name: string,
  most: number,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  const quota = await target.memoizeUnjudged<Quota>(`quota ${name}`, async () => ({
    asked: 0,
    isExhausted: false,
    asking: undefined,
  }));
  if (quota.isExhausted || (!quota.asking && quota.asked >= most)) return quota.isExhausted;
  if (!quota.asking) {
    quota.asked++;
    quota.asking = ask();
  }
  try {
    quota.isExhausted = await quota.asking;
  } finally {
    quota.asking = undefined;
  }
  return quota.isExhausted;
}
