// Where an S3 store lies, as MDK_OBJECT_STORE says it: `s3://bucket/prefix?endpoint=…&region=…&pathStyle=true`. Pure.

export interface S3Location {
  bucket: string
  /** In front of every key; empty, or with a slash at its end. */
  prefix: string
  /** Absent: Amazon's own. */
  endpoint: string | undefined
  /** Absent: the one of the usual AWS variables. */
  region: string | undefined
  /** The bucket stands in the path instead of the host's name, as most servers that are not Amazon's want it. */
  pathStyle: boolean
}

const PARAMETERS = new Set(['endpoint', 'region', 'pathStyle'])

/** @throws RangeError that says what is wrong */
export function readS3Location(text: string): S3Location {
  const parts = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[^?#]*)?(?:\?(.*))?$/.exec(text)
  if (!parts) throw new RangeError('it must be s3://bucket/prefix?endpoint=…&region=…&pathStyle=true')
  const query = new URLSearchParams(parts[3] ?? '')
  for (const name of query.keys()) {
    if (!PARAMETERS.has(name)) throw new RangeError(`${name} is not known; endpoint, region and pathStyle are`)
  }
  const endpoint = query.get('endpoint') ?? undefined
  if (endpoint !== undefined && !/^https?:\/\/[^/]/.test(endpoint))
    throw new RangeError('endpoint must be an http(s) URL')
  const pathStyle = query.get('pathStyle') ?? 'false'
  if (!['true', 'false'].includes(pathStyle)) throw new RangeError('pathStyle must be true or false')
  const prefix = (parts[2] ?? '').replace(/^\/+|\/+$/g, '')
  return {
    bucket: parts[1] as string,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region: query.get('region') ?? undefined,
    pathStyle: pathStyle === 'true',
  }
}
