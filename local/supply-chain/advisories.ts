import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type NpmAnswer, runNpm } from './npm.ts'

/** Severities of an advisory, worst first. */
const SEVERITIES = ['critical', 'high', 'moderate', 'low', 'info'] as const
type Severity = (typeof SEVERITIES)[number]

/** What one part of the audit found: its lines, and the exit code that it asks for. */
export interface Part {
  lines: readonly string[]
  code: 0 | 1 | 2
}

interface Vulnerability {
  name: string
  severity: Severity
  /** The advisories against the package, or the names of the packages that bring theirs. */
  via: readonly (string | { title: string; url: string })[]
}

const formatRow = ({ name, severity, via }: Vulnerability): string =>
  `  ${severity}  ${name}: ${via.map((one) => (typeof one === 'string' ? `by ${one}` : `${one.title} (${one.url})`)).join(', ')}`

const unread = (subject: string, reason: string): Part => ({ lines: [`${subject}: could not be read: ${reason}`], code: 2 })

/** A package with an advisory since 2020. A registry that knows none for it does not answer for others either. */
const KNOWN = { name: 'minimist', version: '0.0.8' }

/** Writes a project whose only dependency is the known package. */
const writeKnownProject = (folder: string): void => {
  const { name, version } = KNOWN
  const root = { name: 'known', version: '1.0.0', dependencies: { [name]: version } }
  const lock = { ...root, lockfileVersion: 3, requires: true, packages: { '': root, [`node_modules/${name}`]: { version } } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(root))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
}

const auditLock = (folder: string, flags: readonly string[]): NpmAnswer =>
  runNpm(folder, 'audit', '--json', '--package-lock-only', ...flags)

const vulnerabilitiesOf = (json: Record<string, unknown>): Vulnerability[] => Object.values(json.vulnerabilities ?? {}) as Vulnerability[]

/** Whether the registry reports the advisory of the known package. */
const answersForKnown = (): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'known-advisory-'))
  try {
    writeKnownProject(folder)
    const { json } = auditLock(folder, [])
    return json !== null && vulnerabilitiesOf(json).some(({ name }) => name === KNOWN.name)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Advisories against the locked packages of a folder. High and critical ones ask for code 1. */
export const auditAdvisories = (folder: string, flags: readonly string[]): Part => {
  const { json, problem } = auditLock(folder, flags)
  if (json === null) return unread('advisories', problem)
  const found = vulnerabilitiesOf(json)
  if (found.length === 0)
    return answersForKnown()
      ? { lines: ['advisories: none'], code: 0 }
      : unread('advisories', `the registry reports none for ${KNOWN.name} ${KNOWN.version}, which has some`)
  const counts = SEVERITIES.map((severity) => [severity, found.filter((one) => one.severity === severity).length] as const)
  const sum = counts.filter(([, count]) => count > 0).map(([severity, count]) => `${count} ${severity}`)
  const sorted = found.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
  return {
    lines: [`advisories: ${sum.join(', ')}`, ...sorted.map(formatRow)],
    code: found.some(({ severity }) => severity === 'critical' || severity === 'high') ? 1 : 0,
  }
}

const namesOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((one: { name?: string; version?: string }) => `  ${one.name} ${one.version}`) : []

/** Signatures of the installed packages of a folder. A package with a wrong signature, or without one, asks for code 1. */
export const auditSignatures = (folder: string, flags: readonly string[]): Part => {
  const { json, problem } = runNpm(folder, 'audit', 'signatures', '--json', ...flags)
  if (json === null) return unread('signatures', problem)
  if (!Array.isArray(json.invalid) || !Array.isArray(json.missing)) return unread('signatures', 'npm lists no packages')
  const [invalid, missing] = [namesOf(json.invalid), namesOf(json.missing)]
  if (invalid.length + missing.length === 0) return { lines: ['signatures: all are right'], code: 0 }
  return { lines: [`signatures: ${invalid.length} wrong, ${missing.length} missing`, ...invalid, ...missing], code: 1 }
}
