import { PAGE_FILE, type Statement } from "../certificates/certificate.ts";
import { isInsecure, rulesOffInWords } from "../headline.ts";
import { count, number } from "../text.ts";
import { instant } from "./banner.ts";
import { html, line, type Markup, renderPage, sentence } from "./markup.ts";
import { STYLES } from "./styles.ts";

/** Returns the page that shows a certificate to people. */
export function renderCertificatePage(statement: Statement): string {
  const { service, spec, suite, run, musts, summary, profile, waivers, reservations = [] } = statement;
  const rulesOff = rulesOffInWords({ spec });
  const facts: [string, Markup | string][] = [
    [
      "Specification",
      html`${line(spec.title, 200)}, versions ${line(spec.versions.join(", "), 200)}<br><code>${line(spec.sha256)}</code>${rulesOff !== undefined && html`<br>${rulesOff}`}`,
    ],
    [
      "Tested",
      html`${instant(run.startedAt)}, with ${line(suite.name, 80)} ${line(suite.version, 40)}, seed ${run.seed}, ${count(run.requests, "request")}`,
    ],
    [
      "MUST requirements",
      `${number(musts.tested)} of ${number(musts.total)} tested` +
        (musts.waived ? `; ${number(musts.waived)} violated and waived` : "") +
        (musts.inScope < musts.total ? `; ${number(musts.total - musts.inScope)} out of scope` : ""),
    ],
    [
      "Checks",
      `${number(summary.pass)} passed, ${number(summary.fail)} failed, ${number(summary.waived)} waived, ${number(summary.skip)} not tested`,
    ],
    [
      "Vendor profile",
      profile === null ? "none" : html`${line(profile.name, 200)}<br><code>${profile.sha256}</code>`,
    ],
    ...(statement.depth === undefined ? [] : [["Depth", statement.depth] as [string, string]]),
    ...Object.entries(statement.labels ?? {}).map(([name, value]): [string, string] => [
      line(name, 80),
      line(value, 200),
    ]),
    ["Issued", instant(statement.issuedAt)],
    ...(statement.validUntil === undefined
      ? []
      : [["Valid until", instant(statement.validUntil)] as [string, string]]),
  ];
  const body = html`<main id="main" class="certificate">
<p class="brand">${line(suite.name, 80)}</p>
<h1>Certificate of conformance</h1>
${typeof statement.subject === "string" && html`<p class="holder">${line(statement.subject, 300)}</p>`}
<p class="holder">${line(service.baseUrl, 300)}</p>
<p class="lead">${service.embedded && "This is the embedded reference service of the suite. "}${isInsecure({ run }) && "The certificate of its address was not checked (--insecure). "}A whole and complete run found nothing
in which this service deviates from the specification${waivers.length > 0 && ", but for the deviations listed below"}${reservations.length > 0 && html`; it has ${count(reservations.length, "reservation")}`}.</p>
<dl class="details">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${
  waivers.length > 0 &&
  html`<h2>Known deviations</h2><ul class="gaps">${waivers
    .slice(0, 200)
    .map(
      (waiver) =>
        html`<li><code class="id">${line(waiver.requirements.join(" "), 200)}</code> ${line(waiver.reason)} <span class="quiet">until ${line(waiver.expires, 40)}, <code>${line(waiver.check, 300)}</code></span></li>\n`,
    )}</ul>`
}
${
  reservations.length > 0 &&
  html`<h2>Reservations</h2><p class="quiet">What the specification suggests and this service does otherwise.</p><ul class="gaps">${reservations
    .slice(0, 200)
    .map(
      (each) =>
        html`<li><code class="id">${line(each.requirement, 80)}</code> ${sentence(each.sentence)} <span class="quiet">section ${line(each.section, 20)}, ${line(each.operations.join(", "), 400)}</span></li>\n`,
    )}</ul>`
}
${
  (statement.notOffered ?? []).length > 0 &&
  html`<h2>Not offered</h2><p class="quiet">The service is declared not to offer these operations. They were tested to be absent only.</p><ul class="gaps">${(
    statement.notOffered ?? []
  )
    .slice(0, 200)
    .map((operation) => html`<li><code>${line(operation, 200)}</code></li>\n`)}</ul>`
}
${scopeSections(statement)}
<h2>Signed reports</h2>
<table><thead><tr><th scope="col">File</th><th scope="col">SHA-256</th></tr></thead><tbody>
${Object.entries(statement.files)
  .filter(([name]) => name !== PAGE_FILE)
  .slice(0, 50)
  .map(
    ([name, digest]) =>
      html`<tr><th scope="row"><code>${line(name, 100)}</code></th><td><code>${digest}</code></td></tr>\n`,
  )}</tbody></table>
<dl class="details"><div><dt>Key</dt><dd><code>${statement.keyId}</code></dd></div>
</dl>
<p class="quiet">The signature is in <code>certificate.json</code>, which names the digest of this page too; verify both, with the
issuer's public key and the reports beside it, by <code>payments-conformance verify certificate.json --public-key FILE</code>.</p>
</main>`;
  return renderPage({ title: `Certificate of conformance: ${service.baseUrl}`, body, styles: STYLES });
}

/** Returns the requirements by how far the certificate covers them. */
function scopeSections({ scope = [] }: Statement): Markup {
  const titles = {
    "out of scope": "Out of scope",
    waived: "Violated and waived",
    weaker: "Tested in part",
    tested: "Tested",
  } as const;
  return html`${(["waived", "out of scope", "weaker", "tested"] as const).map((standing) => {
    const members = scope.filter((each) => each.standing === standing);
    if (members.length === 0) return html``;
    return html`<h2>${titles[standing]} (${members.length})</h2><ul class="gaps">${members
      .slice(0, 500)
      .map(
        (each) =>
          html`<li><code class="id">${line(each.requirement, 80)}</code> ${sentence(each.sentence)} <span class="quiet">section ${line(each.section, 20)}${each.standing === "weaker" && `, ${each.tested} of ${each.checks} checks`}${each.why !== undefined && `: ${line(each.why, 300)}`}</span></li>\n`,
      )}</ul>`;
  })}`;
}
