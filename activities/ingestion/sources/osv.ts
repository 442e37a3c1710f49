import { z } from 'zod'
import { osvRules } from '../../../domain/ingestion/osv.ts'
import type { OsvInput, OsvManifest, OsvPackage } from '../../../schemas/ingestion/osv.ts'
import type { RepositoryPolicy } from '../../../schemas/pull-requests/policy.ts'
import { encodePath, repositoryPath } from '../../codehost/paths.ts'
import { type Source, SourceFailure, type SourceHttp, type UnreadItem } from '../source.ts'
import { createOsvAdvisories, type TargetAdvisories } from './osv/advisories.ts'
import { type LockedPackage, readLockFile } from './osv/lock-file.ts'
import { assertOrigin, parseCursor } from './shape.ts'

export interface OsvSourceDeps {
  /** Requests to the vulnerability database. */
  http: SourceHttp
  /** Base address of its API. */
  baseUrl: string
  /** Requests to the code host that has the lock files, which add its token. */
  codehost: SourceHttp
  /** Base address of its API. */
  codehostUrl: string
  /** Host in the addresses of repositories. */
  webHost: string
  /** Policy of `owner/name`; null for one that cannot be read. Throws `SourceFailure`. */
  readPolicy: (repo: string) => Promise<RepositoryPolicy | null>
}

/** Package versions of one page. */
const TARGETS = 50
/** Lock files of large repositories have some megabytes. */
const LOCK_BYTES = 16 * 1024 * 1024
const HEADERS = { accept: 'application/vnd.github.raw+json', 'x-github-api-version': '2022-11-28' }

/** Place in the list of package versions. A lock file that changes between two pages may hide some until the next run. */
const Cursor = z.strictObject({ offset: z.int().min(0).max(500) })

const NONE: TargetAdvisories = { advisories: [], unread: null }

interface Target extends LockedPackage {
  repository: OsvPackage['repository']
}

const placeOf = ({ name, version, repository }: Target): string =>
  [name, version, repository?.name.toLowerCase(), repository?.manifestPath].join(' ')

/** Client of the vulnerability database: package versions of the input and of lock files, with their advisories. */
export const createOsvSource = (deps: OsvSourceDeps): Source<OsvInput, OsvPackage> => {
  const { http, codehost, webHost, readPolicy } = deps
  const codehostUrl = deps.codehostUrl.replace(/\/$/, '')
  const advisories = createOsvAdvisories(http, deps.baseUrl.replace(/\/$/, ''))

  const readManifest = async ({ repo, path, ref }: OsvManifest): Promise<Target[]> => {
    const query = ref === undefined ? '' : `?${new URLSearchParams({ ref })}`
    const url = `${codehostUrl}${repositoryPath(repo)}/contents/${encodePath(path)}${query}`
    const { value, answer } = await codehost.getJson({ url, headers: HEADERS, maxBytes: LOCK_BYTES, accept: [404] })
    assertOrigin(answer, codehostUrl)
    if (answer.status === 404) throw new SourceFailure('source_refused', `${repo} has no ${path}`)
    const packages = readLockFile(value)
    const policy = await readPolicy(repo)
    const name = policy?.repo ?? repo
    const repository = { name, url: `https://${webHost}/${name}`, manifestPath: path, policy }
    return packages.map((one) => ({ ...one, repository }))
  }

  /** Package versions of a run, each once, those of the input first. */
  const readTargets = async ({ packages, manifests, maxPackageTargets }: OsvInput): Promise<Target[]> => {
    const targets = new Map<string, Target>()
    const add = (target: Target) => targets.set(placeOf(target), target)
    for (const { name, version } of packages) add({ name, version, repository: null })
    for (const manifest of manifests) {
      // Lock files that cannot add a target any more are not read.
      if (targets.size >= maxPackageTargets) break
      for (const target of await readManifest(manifest)) add(target)
    }
    return [...targets.values()].slice(0, maxPackageTargets)
  }

  return {
    readPage: async (input, cursor) => {
      const { offset } = parseCursor(Cursor, cursor, { offset: 0 })
      const all = await readTargets(input)
      const targets = all.slice(offset, offset + TARGETS)
      const found = await advisories.read(targets)
      const items: OsvPackage[] = []
      const unread: UnreadItem[] = []
      for (const [index, { name, version, repository }] of targets.entries()) {
        const { advisories: ofTarget, unread: why } = found[index] ?? NONE
        const item: OsvPackage = { ecosystem: 'npm', name, version, advisories: ofTarget, repository }
        if (ofTarget.length > 0) items.push(item)
        else if (why !== null) unread.push({ key: osvRules.keyOf(item), ...why })
      }
      const next = offset + TARGETS
      return { items, unread, next: next < all.length ? JSON.stringify({ offset: next }) : null }
    },
  }
}
