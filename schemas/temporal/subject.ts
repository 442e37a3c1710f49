import { subject } from '../subject.ts'

export const temporal = subject({ name: 'temporal', kind: 'overview', buildsOn: ['audit'] })
