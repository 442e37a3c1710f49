import { address } from '../look/values.ts'

/** Page that shows what an id names, by the form of the id. `has` tells which pages the reader has. */
export const searchAddress = (text: string, has: (path: string) => boolean): string => {
  const wanted = text.trim()
  const found: readonly (readonly [matches: boolean, path: string, query: Record<string, string>])[] = [
    [/^dispute[-/:]/.test(wanted), '/dispute', { disputeId: wanted }],
    [/:0x[0-9a-f]{40}(:\d+)?$/i.test(wanted), '/session', { sessionId: wanted }],
    [/^0x[0-9a-f]{40}$/i.test(wanted), '/wallet', { wallet: wanted.toLowerCase() }],
    [/^verify-[0-9a-f]{8}-/.test(wanted), '/run', { runId: wanted }],
    [wanted !== '', '/job', { jobId: wanted }],
  ]
  const hit = found.find(([matches, path]) => matches && has(path))
  return hit === undefined ? '/' : address(hit[1], hit[2])
}
