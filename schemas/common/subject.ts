import { subject } from '../subject.ts'

export const common = subject({ name: 'common', kind: 'technical', buildsOn: [] })
