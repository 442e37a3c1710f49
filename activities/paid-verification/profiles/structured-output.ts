import { inconclusive, resultOfChecks } from '../../../domain/paid-verification/result.ts'
import { undecidedChecks } from '../../../domain/paid-verification/structured-output/judge.ts'
import type { ProfileExecution, ProfileResult } from '../../../schemas/paid-verification/profiles/execution.ts'
import {
  DEFAULT_CITATIONS_POINTER,
  STRUCTURED_OUTPUT_LIMITS,
  structuredOutputInputs,
} from '../../../schemas/paid-verification/profiles/structured-output.ts'
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import { type ArtefactRequest, createArtefactFetch, fetchArtefacts } from './artefacts.ts'
import { judgeInThread } from './bounded-judge.ts'
import { withHeartbeat } from './heartbeat.ts'

/** Time for the artefacts; the judgement has the rest of the profile's. */
const FETCH_MS = 18_000
const JUDGE_MS = STRUCTURED_OUTPUT_LIMITS.timeoutMs - FETCH_MS - 2_000

export interface StructuredOutputDeps {
  /** Fetch of addresses that callers name. */
  fetch: GuardedFetch
  fetchMs?: number
  judgeMs?: number
}

/** Creates the profile `structured-output-evidence-v1`, version 1. */
export const createStructuredOutputProfile = ({
  fetch,
  fetchMs = FETCH_MS,
  judgeMs = JUDGE_MS,
}: StructuredOutputDeps): ProfileExecution => {
  const fetchOne = createArtefactFetch(fetch)

  const execute = async (inputs: unknown, signal: AbortSignal): Promise<ProfileResult> => {
    const parsed = structuredOutputInputs.safeParse(inputs)
    if (!parsed.success) return inconclusive('runner_fault', undecidedChecks('The inputs do not have the form of the profile.'))
    const { output, schema, sources, citationsPointer = DEFAULT_CITATIONS_POINTER } = parsed.data
    const { outputBytes, schemaBytes, sourceBytes, totalBytes } = STRUCTURED_OUTPUT_LIMITS
    const requests: ArtefactRequest[] = [
      { role: 'output', reference: output, maxBytes: outputBytes },
      { role: 'schema', reference: schema, maxBytes: schemaBytes },
      ...sources.map((reference, index) => ({ role: `sources/${index}`, reference, maxBytes: sourceBytes })),
    ]
    const declared = requests.reduce((sum, { reference }) => sum + reference.bytes, 0)
    if (declared > totalBytes)
      return inconclusive('artefact_unavailable', undecidedChecks(`The declared ${declared} bytes are more than ${totalBytes}.`))
    const fetched = await fetchArtefacts(fetchOne, requests, fetchMs, signal)
    signal.throwIfAborted()
    if (!Array.isArray(fetched)) return inconclusive(fetched.reason, undecidedChecks(fetched.detail))
    const artefacts = fetched.map(({ artefact }) => artefact)
    // Copies: a buffer may be a view of memory that the process shares, all of which would go to the thread.
    const [outputContent, schemaContent, ...contents] = fetched.map(({ content }) => new Uint8Array(content))
    if (outputContent === undefined || schemaContent === undefined) throw new TypeError('fewer artefacts than requests')
    const judged = await judgeInThread(
      {
        output: outputContent,
        schema: schemaContent,
        sources: contents.map((bytes, index) => ({
          bytes,
          sha256: sources[index]?.sha256 ?? '',
          url: sources[index]?.locator.url ?? '',
        })),
        citationsPointer,
      },
      judgeMs,
      signal,
    )
    signal.throwIfAborted()
    if (judged.ok) return resultOfChecks(judged.judgement.checks, 'ambiguous_evidence', { artefacts, evidence: judged.judgement.evidence })
    const reason = judged.kind === 'exhausted' ? 'ambiguous_evidence' : 'runner_fault'
    return inconclusive(reason, undecidedChecks(`Not judged: ${judged.detail}.`), { artefacts })
  }

  return ({ inputs }, signal, heartbeat) => withHeartbeat(heartbeat, () => execute(inputs, signal))
}
