import { Mutex } from 'async-mutex'
import { LRUCache } from 'lru-cache'
import type { GithubRepository } from '../../../schemas/ingestion/github.ts'
import type { RepositoryFacts } from '../../codehost/repository-shapes.ts'
import type { SourceAnswer } from '../source.ts'

/** Total length of the kept bodies of a process, and of the longest that is kept. */
const CACHE_BYTES = 16 * 1024 * 1024
const ENTRY_BYTES = 8 * 1024 * 1024
const CACHE_ANSWERS = 1_000
/** Bytes of an entry besides its body: headers and address. */
const ENTRY_OVERHEAD = 2_048

/** An answer that the source may declare unchanged. */
export interface KeptAnswer extends Pick<SourceAnswer, 'headers' | 'body' | 'url'> {
  etag?: string
  lastModified?: string
}

/** A repository that was read, by the clients of sources and for the reader of policies. */
export interface ReadRepository {
  /** `takesWork`: neither archived, disabled nor private. */
  found: { repository: GithubRepository; known: RepositoryFacts; takesWork: boolean } | 'absent'
  /** Epoch ms by the wall clock. */
  readAt: number
}

/** A job may be listed by a repository and policy that were read in this time: longer than a run takes, since each claim reads them again. */
export const READING_MAX_AGE_SECONDS = 30 * 60
const REPOSITORIES = 500

/** Creates what the runs of a process share: answers for conditional requests, bounded by their bytes, one lock for each source, and repositories. */
export const createSourceMemory = (maxBytes = CACHE_BYTES) => {
  const locks = new Map<string, Mutex>()
  return {
    answers: new LRUCache<string, KeptAnswer>({
      max: CACHE_ANSWERS,
      maxSize: maxBytes,
      maxEntrySize: Math.min(ENTRY_BYTES, maxBytes),
      sizeCalculation: ({ body }) => body.length + ENTRY_OVERHEAD,
    }),
    /** Repositories of the code host by their key. */
    repositories: new LRUCache<string, ReadRepository>({ max: REPOSITORIES }),
    /** Lock that orders the requests to a source. */
    lockOf: (source: string): Mutex => {
      const lock = locks.get(source) ?? new Mutex()
      locks.set(source, lock)
      return lock
    },
  }
}
export type SourceMemory = ReturnType<typeof createSourceMemory>
