import type { StackInfo } from '../../info.ts'
import type { DemoSource } from './sources.ts'

/** Faults of an answer: status 500, a connection that breaks within it, and 429 with a time to wait. */
export type Fault = 'fails' | 'breaks' | 'asks to wait'

const FAULT_KINDS = { fails: '500', breaks: 'cut', 'asks to wait': '429' } as const
const CODEHOST_FAILURES = {
  fails: { status: 500 },
  breaks: { status: 0 },
  'asks to wait': { status: 429, headers: { 'retry-after': '1' } },
} as const

const script = async (method: string, address: string, body?: unknown): Promise<void> => {
  const answer = await fetch(address, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`the script ${address} was refused: ${await answer.text()}`)
}

/** Scripts of the local code host and of the local sources. */
export const createScripts = ({ codehost, sources }: Pick<StackInfo, 'codehost' | 'sources'>) => ({
  /** The next answers of a source have these faults, in this order, each once. */
  breakNext: async ({ provider, path }: DemoSource, faults: readonly Fault[]): Promise<void> => {
    for (const fault of faults)
      if (provider === 'github') await script('POST', `${codehost}/_script/failures`, { path, times: 1, ...CODEHOST_FAILURES[fault] })
      else await script('POST', `${sources}/_script/faults`, { name: provider, path, kind: FAULT_KINDS[fault], times: 1 })
  },
  /** Merges a pull request, as its maintainers would. */
  merge: (prUrl: string): Promise<void> =>
    script('PUT', `${codehost}/_script/pulls/${new URL(prUrl).pathname.slice(1).replace('/pull/', '/')}`, { merged: true }),
  /** Writes the text of an issue. */
  editIssue: (repo: string, number: number, body: string): Promise<void> =>
    script('PUT', `${codehost}/_script/issues/${repo}/${number}`, { body }),
})
