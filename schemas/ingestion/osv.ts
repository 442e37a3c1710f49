import { z } from 'zod'
import type { RepositoryPolicy } from '../pull-requests/policy.ts'

/** Name of a package of npm, with or without a scope. Old names may have upper case. */
const PackageName = z
  .string()
  .max(214)
  .regex(/^(?:@[a-zA-Z0-9~-][a-zA-Z0-9._~-]*\/)?[a-zA-Z0-9~_-][a-zA-Z0-9._~-]*$/)

/** An exact version, no range. */
const PackageVersion = z
  .string()
  .max(100)
  .regex(/^[0-9]+(?:\.[0-9]+){0,2}(?:[-+][0-9A-Za-z.+-]+)?$/)

const Package = z.strictObject({
  ecosystem: z.literal('npm'),
  name: PackageName,
  version: PackageVersion.describe('Exact version, no range.'),
})

const isSafePath = (path: string): boolean => !path.split('/').some((segment) => ['', '.', '..'].includes(segment))

const Manifest = z.strictObject({
  repo: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}$/)
    .refine(isSafePath, 'has a relative segment')
    .describe('Repository, `owner/name`.'),
  path: z
    .string()
    .max(300)
    .regex(/^(?:[\w .@+-]+\/)*package-lock\.json$/)
    .refine(isSafePath, 'has a relative segment')
    .describe('Path of a package-lock.json in it.'),
  ref: z
    .string()
    .max(200)
    .regex(/^[\w./-]+$/)
    .optional()
    .describe('Branch, tag or commit; by default the default branch.'),
})
export type OsvManifest = z.infer<typeof Manifest>

/** Members of POST /admin/jobs/ingest/osv of its own. Source: http, "Jobs". */
export const OsvInput = z
  .strictObject({
    packages: z.array(Package).max(500).default([]).describe('Packages to look up.'),
    manifests: z.array(Manifest).max(20).default([]).describe('Lock files whose packages are looked up.'),
    maxPackageTargets: z.int().min(1).max(500).default(100).describe('Maximum number of package versions of a run.'),
  })
  .refine(({ packages, manifests }) => packages.length + manifests.length > 0, 'names neither packages nor manifests')
export type OsvInput = z.infer<typeof OsvInput>

/** One package version to look up, as an input or a lock file names it. */
export const isPackageTarget = ({ name, version }: { name: string; version: string }): boolean =>
  PackageName.safeParse(name).success && PackageVersion.safeParse(version).success

/** An advisory about one package version. Texts as their authors wrote them. */
export interface OsvAdvisory {
  id: string
  /** Other ids of it; at most 20. */
  aliases: string[]
  /** At most 300 characters. */
  summary: string
  /** Characters of its whole text. */
  textLength: number
  /** Severity from 0 to 10; null where no score and no word of the advisory gives one. */
  cvss: number | null
  /** First version after the one in use that the advisory names as fixed; null without one. */
  fixedVersion: string | null
  /** ISO 8601; null where the advisory gives none. */
  modified: string | null
}

/** A package version with its advisories, as the client reads them. */
export interface OsvPackage {
  ecosystem: 'npm'
  name: string
  version: string
  /** Sorted by id, none withdrawn; at least one, at most 30. */
  advisories: OsvAdvisory[]
  /** Repository whose lock file names the version; null for a package of the input. */
  repository: {
    /** `owner/name` in the host's current spelling. */
    name: string
    url: string
    manifestPath: string
    /** Null where its policy was not read. */
    policy: RepositoryPolicy | null
  } | null
}
