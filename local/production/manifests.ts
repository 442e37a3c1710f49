// Validates the manifests by the schemas of Kubernetes. Its program installs itself, as that of `npm run fuzz` does.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ROOT } from '../files.ts'
import { runProgram } from '../program.ts'
import { pythonProgram } from '../python/program.ts'

const FOLDER = join(ROOT, 'deploy/kubernetes')

/** Manifests of the cluster; the file of kustomize is none. */
const manifests = (): string[] =>
  globSync(join(FOLDER, '**/*.yaml'))
    .filter((path) => basename(path) !== 'kustomization.yaml')
    .sort()

const main = (): number => {
  const program = pythonProgram('kubernetes-validate', join(FOLDER, 'requirements.txt'))
  const { status, error } = spawnSync(program, ['--strict', ...manifests()], { stdio: 'inherit' })
  if (error !== undefined) throw error
  return status ?? 1
}

process.exitCode = await runProgram(main)
