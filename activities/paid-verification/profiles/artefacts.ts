import { createHash } from 'node:crypto'
import type { ArtefactReference, ProfileArtefact } from '../../../schemas/paid-verification/profiles/execution.ts'
import type { GuardedFetch, OutboundAnswer } from '../../outbound/guarded-fetch.ts'

const MAX_REDIRECTS = 3

export interface ArtefactRequest {
  /** Its place in the inputs, e.g. `sources/0`. */
  role: string
  reference: ArtefactReference
  /** The profile's limit. A longer declared length is not fetched. */
  maxBytes: number
}

export interface FetchedArtefact {
  ok: true
  artefact: ProfileArtefact
  content: Buffer
}

/** Why an artefact is missing: a fault of its source, never of the work that it shows. */
export interface ArtefactFault {
  ok: false
  reason: 'artefact_unavailable' | 'artefact_mismatch'
  /** Names the role and what happened, without the address, whose query may hold a secret. */
  detail: string
}

const createFault = (reason: ArtefactFault['reason'], role: string, detail: string): ArtefactFault => ({
  ok: false,
  reason,
  detail: `${role}: ${detail}`,
})

type Failed = Extract<OutboundAnswer, { ok: false }>

const faultOf = ({ failure, detail }: Failed, { role, reference }: ArtefactRequest): ArtefactFault => {
  switch (failure) {
    case 'too_large':
      return createFault('artefact_mismatch', role, `the source sends more than the declared ${reference.bytes} bytes`)
    case 'refused':
      return createFault('artefact_unavailable', role, 'the service does not connect to this address')
    default:
      return createFault('artefact_unavailable', role, detail)
  }
}

/** Creates the fetch of one artefact within a time limit. It never throws. */
export const createArtefactFetch =
  (fetch: GuardedFetch) =>
  async (request: ArtefactRequest, timeoutMs: number, signal: AbortSignal): Promise<FetchedArtefact | ArtefactFault> => {
    const { role, maxBytes } = request
    const { sha256, bytes, locator } = request.reference
    if (bytes > maxBytes) return createFault('artefact_unavailable', role, `the declared ${bytes} bytes are more than ${maxBytes}`)
    const answer = await fetch({ url: locator.url, timeoutMs, signal, maxBytes: bytes, redirects: MAX_REDIRECTS })
    if (!answer.ok) return faultOf(answer, request)
    if (answer.status !== 200) return createFault('artefact_unavailable', role, `the source answers with status ${answer.status}`)
    const content = answer.body
    if (content.length !== bytes) return createFault('artefact_mismatch', role, `${content.length} bytes, declared are ${bytes}`)
    const found = createHash('sha256').update(content).digest('hex')
    if (found !== sha256) return createFault('artefact_mismatch', role, `the bytes have the SHA-256 ${found}`)
    return { ok: true, artefact: { role, sha256, bytes }, content }
  }
export type ArtefactFetch = ReturnType<typeof createArtefactFetch>

/** Fetches all artefacts together. The first fault ends the other requests. */
export const fetchArtefacts = async (
  fetchOne: ArtefactFetch,
  requests: readonly ArtefactRequest[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<FetchedArtefact[] | ArtefactFault> => {
  const rest = new AbortController()
  const any = AbortSignal.any([signal, rest.signal])
  let first: ArtefactFault | undefined
  const fetched = await Promise.all(
    requests.map(async (request) => {
      const result = await fetchOne(request, timeoutMs, any)
      if (result.ok) return [result]
      first ??= result
      rest.abort()
      return []
    }),
  )
  return first ?? fetched.flat()
}
