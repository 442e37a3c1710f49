import { LRUCache } from 'lru-cache'
import { concernsVersion, fixedVersionOf, rangesOfEvents } from '../../../../domain/ingestion/osv/advisory.ts'
import { severityOf } from '../../../../domain/ingestion/osv/cvss.ts'
import type { Unfit } from '../../../../domain/ingestion/provider.ts'
import { boundText } from '../../../../domain/ingestion/source-text.ts'
import type { OsvAdvisory } from '../../../../schemas/ingestion/osv.ts'
import { SourceFailure, type SourceHttp } from '../../source.ts'
import { assertOrigin, parseAnswer } from '../shape.ts'
import type { LockedPackage } from './lock-file.ts'
import { Advisory, BatchAnswer, type RawAdvisory } from './shapes.ts'

/** Most queries of a batch. Source: OSV API, "Query a batch of packages". */
const BATCH = 1_000
/** Follow-up pages of one package version, and advisories of it that are read. */
const MAX_PAGES = 10
const MAX_ADVISORIES = 30
const BATCH_BYTES = 8 * 1024 * 1024
const ADVISORY_BYTES = 1024 * 1024
const KEPT_ADVISORIES = 1_000

const wordOf = ({ database_specific: specific }: RawAdvisory): string | null =>
  typeof specific?.severity === 'string' ? specific.severity.slice(0, 40) : null

/** The advisory as far as it concerns a package version; null where it does not, or was withdrawn. */
const advisoryFor = (raw: RawAdvisory, { name, version }: LockedPackage): OsvAdvisory | null => {
  if (raw.withdrawn != null) return null
  const affected = (raw.affected ?? []).filter(({ package: one }) => one?.ecosystem === 'npm' && one.name === name)
  const ranges = affected.flatMap((one) => one.ranges ?? []).flatMap(({ type, events }) => (type === 'GIT' ? [] : rangesOfEvents(events)))
  const versions = affected.flatMap((one) => one.versions ?? [])
  if (affected.length === 0 || !concernsVersion(version, versions, ranges)) return null
  const vectors = (raw.severity ?? []).map(({ score }) => score)
  return {
    id: raw.id,
    aliases: (raw.aliases ?? []).slice(0, 20).map((alias) => boundText(alias, 200)),
    summary: boundText(raw.summary ?? raw.details ?? '', 300),
    textLength: (raw.details ?? '').length,
    cvss: severityOf(vectors, wordOf(raw)),
    fixedVersion: fixedVersionOf(version, ranges),
    modified: raw.modified ?? null,
  }
}

const GONE: Unfit = { reason: 'advisory_gone', detail: 'An advisory is gone that the database had named.' }
const TOO_LONG: Unfit = { reason: 'advisory_too_long', detail: 'An advisory is longer than the service reads.' }

/** Advisories of a package version, sorted by id, and why the first that could not be read was none; null where all were read. */
export interface TargetAdvisories {
  advisories: OsvAdvisory[]
  unread: Unfit | null
}

/** A package version whose advisories are asked for, from a page on. */
interface Asked extends LockedPackage {
  /** Place in the list of the caller. */
  index: number
  token?: string
}

/** Client of the vulnerability database at `base`. */
export const createOsvAdvisories = (http: SourceHttp, base: string) => {
  const kept = new LRUCache<string, RawAdvisory | Unfit>({ max: KEPT_ADVISORIES })

  const requestBatch = async (targets: readonly Asked[]) => {
    const queries = targets.map(({ name, version, token }) => ({
      package: { ecosystem: 'npm', name },
      version,
      ...(token !== undefined && { page_token: token }),
    }))
    const { value, answer } = await http.getJson({ url: `${base}/v1/querybatch`, json: { queries }, maxBytes: BATCH_BYTES })
    assertOrigin(answer, base)
    const { results } = parseAnswer(BatchAnswer, value, 'the batch')
    if (results.length !== queries.length) throw new SourceFailure('source_unreadable', 'the batch has another number of results')
    return results
  }

  /** Ids of the advisories of some package versions, in their order; each id of a version once. */
  const findIds = async (targets: readonly LockedPackage[]): Promise<string[][]> => {
    const ids = targets.map(() => new Set<string>())
    const tokens = new Set<string>()
    let open: Asked[] = targets.map((target, index) => ({ ...target, index }))
    for (let page = 1; open.length > 0 && page <= MAX_PAGES; page += 1) {
      const next: Asked[] = []
      for (let start = 0; start < open.length; start += BATCH) {
        const asked = open.slice(start, start + BATCH)
        const results = await requestBatch(asked)
        for (const [place, target] of asked.entries()) {
          const { vulns, next_page_token: token } = results[place] ?? {}
          for (const { id } of vulns ?? []) ids[target.index]?.add(id)
          if (token == null || token === '') continue
          const use = `${target.index} ${token}`
          if (tokens.has(use)) throw new SourceFailure('source_unreadable', 'the batch repeats its pages')
          tokens.add(use)
          next.push({ ...target, token })
        }
      }
      open = next
    }
    return ids.map((found) => [...found].sort().slice(0, MAX_ADVISORIES))
  }

  const requestAdvisory = async (id: string): Promise<RawAdvisory | Unfit> => {
    const request = { url: `${base}/v1/vulns/${encodeURIComponent(id)}`, maxBytes: ADVISORY_BYTES, accept: [404] }
    const { value, answer } = await http.getJson(request)
    assertOrigin(answer, base)
    if (answer.status === 404) return GONE
    const raw = parseAnswer(Advisory, value, 'an advisory')
    // An advisory that was merged into another answers under the id of that one.
    if (raw.id !== id && raw.aliases?.includes(id) !== true) throw new SourceFailure('source_unreadable', 'an advisory has another id')
    return raw
  }

  /** The advisory with this id, or why it could not be read: it is gone, or longer than the service reads. */
  const readAdvisory = async (id: string): Promise<RawAdvisory | Unfit> => {
    const known = kept.get(id)
    if (known !== undefined) return known
    const read = await requestAdvisory(id).catch((error: unknown) => {
      if (error instanceof SourceFailure && error.fault === 'source_too_large') return TOO_LONG
      throw error
    })
    kept.set(id, read)
    return read
  }

  return {
    /** Advisories of each package version in its order; none where none concerns it. */
    read: async (targets: readonly LockedPackage[]): Promise<TargetAdvisories[]> => {
      const found: TargetAdvisories[] = []
      for (const [place, ids] of (await findIds(targets)).entries()) {
        const target = targets[place]
        const advisories = new Map<string, OsvAdvisory>()
        let unread: Unfit | null = null
        for (const id of ids) {
          const raw = await readAdvisory(id)
          if ('reason' in raw) {
            unread ??= raw
            continue
          }
          const advisory = target === undefined ? null : advisoryFor(raw, target)
          if (advisory !== null) advisories.set(advisory.id, advisory)
        }
        found.push({ advisories: [...advisories.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), unread })
      }
      return found
    },
  }
}
