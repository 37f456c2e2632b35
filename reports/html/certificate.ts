import type { Certificate } from "../certificate.ts";
import { count, number } from "../text.ts";
import { instant } from "./banner.ts";
import { html, line, type Markup, renderPage } from "./markup.ts";
import { STYLES } from "./styles.ts";

/**
 * A certificate as a page to read and to print. The page proves nothing: it says so, names the digests, and tells
 * how to verify the signed file beside it.
 */
export function renderCertificatePage({ statement, signature }: Certificate): string {
  const { service, spec, suite, run, musts, summary, profile, waivers } = statement;
  const facts: [string, Markup | string][] = [
    [
      "Specification",
      html`${line(spec.title, 200)}, versions ${line(spec.versions.join(", "), 200)}<br><code>${line(spec.sha256)}</code>`,
    ],
    [
      "Tested",
      html`${instant(run.startedAt)}, with ${line(suite.name, 80)} ${line(suite.version, 40)}, seed ${run.seed}, ${count(run.requests, "request")}`,
    ],
    [
      "MUST requirements",
      `${number(musts.tested)} of ${number(musts.total)} tested` +
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
    ["Issued", instant(statement.issuedAt)],
  ];
  const body = html`<main id="main" class="certificate">
<p class="brand">${line(suite.name, 80)}</p>
<h1>Certificate of conformance</h1>
<p class="holder">${line(service.baseUrl, 300)}</p>
<p class="lead">${service.embedded && "This is the embedded reference service of the suite. "}A strict and complete run found nothing
in which this service deviates from the specification${waivers.length > 0 && ", but for the deviations listed below"}.</p>
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
<h2>Signed reports</h2>
<table><thead><tr><th scope="col">File</th><th scope="col">SHA-256</th></tr></thead><tbody>
${Object.entries(statement.files)
  .slice(0, 50)
  .map(
    ([name, digest]) =>
      html`<tr><th scope="row"><code>${line(name, 100)}</code></th><td><code>${digest}</code></td></tr>\n`,
  )}</tbody></table>
<dl class="details"><div><dt>Key</dt><dd><code>${statement.keyId}</code></dd></div>
<div><dt>Signature (${signature.algorithm})</dt><dd><code>${signature.value}</code></dd></div></dl>
<p class="quiet">This page is for reading. The signed file <code>certificate.json</code> is the certificate; verify it, with the
issuer's public key and the reports beside it, by <code>payments-conformance verify certificate.json</code>.</p>
</main>`;
  return renderPage({ title: `Certificate of conformance: ${service.baseUrl}`, body, styles: STYLES });
}
