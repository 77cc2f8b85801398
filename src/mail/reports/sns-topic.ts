// The host at which Amazon SNS answers for a topic: that of the topic's own region, and no other. Pure.
// https://docs.aws.amazon.com/general/latest/gr/sns.html

/** Of each partition of AWS its regions, and the domain of their hosts. */
const PARTITIONS: Partial<Record<string, { region: RegExp; domain: string }>> = {
  aws: { region: /^(?:us|eu|ap|sa|ca|me|af|il|mx)-[a-z]+-\d{1,2}$/, domain: 'amazonaws.com' },
  'aws-us-gov': { region: /^us-gov-[a-z]+-\d{1,2}$/, domain: 'amazonaws.com' },
  'aws-cn': { region: /^cn-[a-z]+-\d{1,2}$/, domain: 'amazonaws.com.cn' },
  'aws-eusc': { region: /^eusc-[a-z]{2}-[a-z]+-\d{1,2}$/, domain: 'amazonaws.eu' },
}

/** `arn:aws:sns:eu-west-1:123456789012:reports` → `sns.eu-west-1.amazonaws.com`; undefined when it names no topic. */
export function snsHostOf(topicArn: string): string | undefined {
  const [, partition = '', region = ''] = /^arn:([a-z-]+):sns:([a-z0-9-]+):\d{12}:[\w-]{1,256}$/.exec(topicArn) ?? []
  const found = Object.hasOwn(PARTITIONS, partition) ? PARTITIONS[partition] : undefined
  return found?.region.test(region) ? `sns.${region}.${found.domain}` : undefined
}
