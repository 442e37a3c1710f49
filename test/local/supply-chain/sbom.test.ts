import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

interface Bill {
  bomFormat: string
  metadata: { component: { name: string } }
  components: { 'bom-ref': string; name: string; licenses?: unknown[]; hashes?: unknown[] }[]
}
interface Locked {
  version: string
  dev?: boolean
  license?: string
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
const manifest = readJson(join(ROOT, 'package.json')) as { name: string; dependencies: Record<string, string> }
const { packages } = readJson(join(ROOT, 'package-lock.json')) as { packages: Record<string, Locked> }
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const locked = Object.entries(packages).flatMap(([path, one]) => (path.startsWith('node_modules/') ? [{ ...one, name: nameOf(path) }] : []))
const refsOf = (all: typeof locked): Set<string> => new Set(all.map(({ name, version }) => `${name}@${version}`))

test('the bill of materials has every package of the service with hash and licence, and none of development alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bill-'))
  try {
    const file = join(folder, 'sbom.json')
    const { status } = spawnSync(process.execPath, ['local/supply-chain/sbom.ts', '--out', file], { cwd: ROOT, encoding: 'utf8' })
    expect(status).toBe(0)
    const { bomFormat, metadata, components } = readJson(file) as Bill
    expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', manifest.name])
    expect(new Set(components.map((one) => one['bom-ref']))).toEqual(refsOf(locked.filter(({ dev }) => dev !== true)))
    const direct = Object.entries(manifest.dependencies).map(([name, version]) => `${name}@${version}`)
    expect(direct.filter((ref) => !components.some((one) => one['bom-ref'] === ref))).toEqual([])
    expect(components.filter(({ hashes }) => !hashes?.length)).toEqual([])
    const unnamed = refsOf(locked.filter(({ license }) => license === undefined))
    expect(components.filter((one) => !one.licenses?.length && !unnamed.has(one['bom-ref'])).map(({ name }) => name)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
