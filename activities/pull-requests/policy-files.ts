import { LRUCache } from 'lru-cache'
import type { PolicyText } from '../../domain/pull-requests/policy/sentences.ts'
import type { LookupFailure } from '../../schemas/codehost/record.ts'
import type { ApiAnswer, CodehostApi } from '../codehost/client.ts'
import { encodePath, isAbsent, repositoryPath } from '../codehost/paths.ts'
import { type DirectoryEntry, entriesOf, fileTextOf } from '../codehost/repository-shapes.ts'

/** Files in which maintainers speak of contributions. Sources: lifecycle, "Maintainer policy"; GitHub, "Creating a default community health file". */
const IS_POLICY_FILE =
  /^(?:contributing|code[-_]of[-_]conduct|(?:gen(?:erative)?[-_]?)?(?:ai|llm)s?[-_]?(?:policy|usage|contributions?|guidelines?|disclosure|agents)|agents|pull[-_]request[-_]template|security)(?:\.(?:md|markdown|rst|txt|adoc))?$/i
/** Read in the root of the repository itself only. */
const IS_README = /^readme(?:\.(?:md|markdown|rst|txt|adoc))?$/i
const IS_TEMPLATE_FOLDER = /^pull[-_]request[-_]template$/i
const IS_TEXT = /\.(?:md|markdown|rst|txt)$/i
/** Folders in which a host looks for such files, besides the root. */
const FOLDERS = ['.github', 'docs']
/** Repository of an organisation whose files stand in for those that a repository lacks. */
const OWNERS_REPO = '.github'

/** Most files of one repository. */
const MAX_FILES = 40
/** Characters of all of them and of its owner's, which the decision goes through in about a second. */
const MAX_CHARACTERS = 512 * 1024
/** Texts by the hash of their content: a listing names it, so that an unchanged file is not requested again. */
const CACHE_CHARACTERS = 16 * 1024 * 1024

export const createPolicyTexts = () =>
  new LRUCache<string, string>({ maxSize: CACHE_CHARACTERS, sizeCalculation: (text) => text.length + 1, max: 5_000 })
export type PolicyTexts = ReturnType<typeof createPolicyTexts>

export type FilesReading = { ok: true; texts: PolicyText[] } | { ok: false; failure: LookupFailure }

class Unreadable extends Error {
  readonly failure: LookupFailure
  constructor(failure: LookupFailure) {
    super(failure.reason)
    this.failure = failure
  }
}

const TOO_LONG: LookupFailure = { reason: 'codehost_answer_too_large', isTransient: false, retryAfterSeconds: null }
const BAD_ANSWER: LookupFailure = { reason: 'codehost_bad_answer', isTransient: true, retryAfterSeconds: null }

const parse = <T>(answer: ApiAnswer, shapeOf: (value: unknown) => T | null, absent: T): T => {
  if (!answer.ok) {
    if (isAbsent(answer.failure)) return absent
    throw new Unreadable(answer.failure)
  }
  const value = shapeOf(answer.value)
  if (value === null) throw new Unreadable(BAD_ANSWER)
  return value
}

const isFile = ({ type }: DirectoryEntry): boolean => type === 'file' || type === 'symlink'

/** Reads the files of repositories and their owners in which policies stand: listings first, then the files that exist. */
export const createPolicyFiles = (texts: PolicyTexts) => {
  const list = async (api: CodehostApi, repo: string, folder: string): Promise<DirectoryEntry[]> =>
    parse(await api.get(`${repositoryPath(repo)}/contents/${encodePath(folder)}`), entriesOf, [])

  const readFile = async (api: CodehostApi, repo: string, { path, sha, type }: DirectoryEntry): Promise<string> => {
    // The hash of a symbolic link is that of its target's path.
    const known = type === 'file' ? texts.get(sha) : undefined
    if (known !== undefined) return known
    const text = parse(await api.get(`${repositoryPath(repo)}/contents/${encodePath(path)}`), fileTextOf, '')
    if (type === 'file') texts.set(sha, text)
    return text
  }

  const findFiles = async (api: CodehostApi, repo: string, readsReadme: boolean): Promise<DirectoryEntry[]> => {
    const root = await list(api, repo, '')
    const folders = root.filter(({ name, type }) => type === 'dir' && FOLDERS.includes(name.toLowerCase()))
    const listings = [root]
    for (const { path } of folders) listings.push(await list(api, repo, path))
    const templates = listings.flat().filter(({ name, type }) => type === 'dir' && IS_TEMPLATE_FOLDER.test(name))
    const found = listings.flat().filter((entry) => isFile(entry) && IS_POLICY_FILE.test(entry.name))
    if (readsReadme) found.push(...root.filter((entry) => isFile(entry) && IS_README.test(entry.name)).slice(0, 1))
    for (const { path } of templates)
      found.push(...(await list(api, repo, path)).filter((entry) => isFile(entry) && IS_TEXT.test(entry.name)))
    return found.slice(0, MAX_FILES)
  }

  const readAll = async (api: CodehostApi, repo: string, prefix = ''): Promise<PolicyText[]> => {
    const found: PolicyText[] = []
    // In sequence: hosts limit parallel requests separately.
    for (const file of await findFiles(api, repo, prefix === ''))
      found.push({ path: `${prefix}${file.path}`, text: await readFile(api, repo, file) })
    return found
  }

  /** Texts of a repository (`owner/name`) and of its owner's own repository. An owner without one has no text. */
  return async (api: CodehostApi, repo: string): Promise<FilesReading> => {
    const [owner = '', name = ''] = repo.split('/')
    try {
      const own = await readAll(api, repo)
      const general = name.toLowerCase() === OWNERS_REPO ? [] : await readAll(api, `${owner}/${OWNERS_REPO}`, `${OWNERS_REPO}:`)
      const read = [...own, ...general]
      const characters = read.reduce((sum, { text }) => sum + text.length, 0)
      return characters > MAX_CHARACTERS ? { ok: false, failure: TOO_LONG } : { ok: true, texts: read }
    } catch (error) {
      if (error instanceof Unreadable) return { ok: false, failure: error.failure }
      throw error
    }
  }
}
