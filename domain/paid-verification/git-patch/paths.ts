/** Files that decide what a test run means. A patch never changes them, whatever its buyer allows. */
export const ALWAYS_PROTECTED: readonly string[] = [
  '**/test/**',
  '**/tests/**',
  '**/__tests__/**',
  '**/*.test.*',
  '**/*-test.*',
  '**/*_test.*',
  '**/*.spec.*',
  '**/test.*',
  '**/test-*',
  '**/package.json',
  '**/package-lock.json',
  '**/npm-shrinkwrap.json',
  '**/yarn.lock',
  '**/pnpm-lock.yaml',
  '**/.npmrc',
  '**/node.config.json',
  '**/tsconfig*.json',
  '**/.env*',
  '**/node_modules/**',
  '**/.git/**',
  '**/.gitattributes',
  '**/.gitmodules',
  '**/.github/**',
  '**/.gitlab-ci.yml',
  '**/.circleci/**',
  '**/.husky/**',
]

const escapeText = (text: string): string => text.replaceAll(/[.+^${}()|[\]\\?]/g, '\\$&')

/** A pattern as an expression: `*` stays within a folder, `**` does not. A path without either covers what lies below it. */
const compile = (pattern: string): RegExp => {
  const body = pattern
    .replace(/\/+$/, '')
    .split('/')
    .map((part) => (part === '**' ? '**' : escapeText(part).replaceAll(/\*+/g, '[^/]*')))
  const text = body.reduce((whole, part, index) => {
    const isLast = index === body.length - 1
    if (part === '**') return isLast ? `${whole}.+` : `${whole}(?:[^/]+/)*`
    return `${whole}${part}${isLast ? '' : '/'}`
  }, '')
  // Some file systems take names in any case for one file.
  return new RegExp(`^${text}(?:/.*)?$`, 'isu')
}

/** Whether one of some patterns covers a path. */
export const isCovered = (path: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => compile(pattern).test(path.normalize('NFC')))
