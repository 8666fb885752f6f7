// @ts-nocheck generated from the Schematron files by `npm run generate`; the compiler is in tools/einvoice.
import type { Pattern } from '../rule-set.ts';
import { at, attribute, child, children, has, inOrder, step } from '../xpath/axes.ts';
import { compare } from '../xpath/compare.ts';
import { Decimal } from '../xpath/decimal.ts';
import { calculate, castInteger, codepoints, count, matches, nameOf, normalizeSpace, replace, stringJoin, substring, tokenize } from '../xpath/functions.ts';
import { castDecimal, optional, single, textOf } from '../xpath/values.ts';

const global_XR_MAJOR_MINOR_VERSION = (node, document) => "3.0";
const global_XR_CIUS_ID = (node, document) => "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0";
const global_XR_EXTENSION_ID = (node, document) => (document.global('XR-CIUS-ID', global_XR_CIUS_ID) + "#conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0");
const global_XR_CVD_ID = (node, document) => (document.global('XR-CIUS-ID', global_XR_CIUS_ID) + "#compliant#urn:xeinkauf.de:kosit:xrechnung:cvd_0.9");
const global_XR_SKONTO_REGEX = (node, document) => "(^|\\r?\\n)#(SKONTO)#TAGE=([0-9]+#PROZENT=[0-9]+\\.[0-9]{2})(#BASISBETRAG=-?[0-9]+\\.[0-9]{2})?#$";
const global_XR_EMAIL_REGEX = (node, document) => "^[^@\\s]+@([^@.\\s]+\\.)+[^@.\\s]+$";
const global_XR_TELEPHONE_REGEX = (node, document) => ".*([0-9].*){3,}.*";
const global_XR_URL_REGEX = (node, document) => "^([a-zA-Z])([a-zA-Z0-9+.-])+:.*";
const global_ISO_6523_ICD_EXT_CODES = (node, document) => " XR01 XR02 XR03 0002 0003 0004 0005 0006 0007 0008 0009 0010 0011 0012 0013 0014 0015 0016 0017 0018 0019 0020 0021 0022 0023 0024 0025 0026 0027 0028 0029 0030 0031 0032 0033 0034 0035 0036 0037 0038 0039 0040 0041 0042 0043 0044 0045 0046 0047 0048 0049 0050 0051 0052 0053 0054 0055 0056 0057 0058 0059 0060 0061 0062 0063 0064 0065 0066 0067 0068 0069 0070 0071 0072 0073 0074 0075 0076 0077 0078 0079 0080 0081 0082 0083 0084 0085 0086 0087 0088 0089 0090 0091 0093 0094 0095 0096 0097 0098 0099 0100 0101 0102 0104 0105 0106 0107 0108 0109 0110 0111 0112 0113 0114 0115 0116 0117 0118 0119 0120 0121 0122 0123 0124 0125 0126 0127 0128 0129 0130 0131 0132 0133 0134 0135 0136 0137 0138 0139 0140 0141 0142 0143 0144 0145 0146 0147 0148 0149 0150 0151 0152 0153 0154 0155 0156 0157 0158 0159 0160 0161 0162 0163 0164 0165 0166 0167 0168 0169 0170 0171 0172 0173 0174 0175 0176 0177 0178 0179 0180 0183 0184 0185 0186 0187 0188 0189 0190 0191 0192 0193 0194 0195 0196 0197 0198 0199 0200 0201 0202 0203 0204 0205 0206 0207 0208 0209 0210 0211 0212 0213 0214 0215 0216 0217 0218 0219 0220 0221 0222 0223 0224 0225 0226 0227 0228 0229 0230 0231 0232 0233 0234 0235 0236 0237 0238 0239 0240 0241 0242 0243 0244 0245 0246 0247 0248 ";
const global_CEF_EAS_EXT_CODES = (node, document) => " XR01 XR02 XR03 0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0147 0151 0154 0158 0170 0177 0183 0184 0188 0190 0191 0192 0193 0194 0195 0196 0198 0199 0200 0201 0202 0203 0204 0205 0208 0209 0210 0211 0212 0213 0215 0216 0217 0218 0219 0220 0221 0225 0230 0235 0240 0244 0242 0245 0246 0248 9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959 AN AQ AS AU EM ";
const global_UNTDID_7143_CVD_CODES = (node, document) => " CVD AA AB AC AD AE AF AG AH AI AJ AK AL AM AN AO AP AQ AR AS AT AU AV AW AX AY AZ BA BB BC BD BE BF BG BH BI BJ BK BL BM BN BO BP BQ BR BS BT BU BV BW BX BY BZ CC CG CL CR CV DR DW EC EF EMD EN FS GB GN GMN GS HS IB IN IS IT IZ MA MF MN MP NB ON PD PL PO PPI PV QS RC RN RU RY SA SG SK SN SRS SRT SRU SRV SRW SRX SRY SRZ SS SSA SSB SSC SSD SSE SSF SSG SSH SSI SSJ SSK SSL SSM SSN SSO SSP SSQ SSR SSS SST SSU SSV SSW SSX SSY SSZ ST STA STB STC STD STE STF STG STH STI STJ STK STL STM STN STO STP STQ STR STS STT STU STV STW STX STY STZ SUA SUB SUC SUD SUE SUF SUG SUH SUI SUJ SUK SUL SUM TG TSN TSO TSP TSQ TSR TSS TST TSU UA UP VN VP VS VX ZZZ ";
const global_CVD_VEHICLE_CATEGORY = (node, document) => ["M1", "M2", "M3", "N1", "N2", "N3"];
const global_CVA_CODES = (node, document) => ["clean", "zero-emission", "other"];
const global_isExtension = (node, document) => ([document.node].some((node2) => child(node2, "rsm:CrossIndustryInvoice").some((node3) => child(node3, "rsm:ExchangedDocumentContext").some((node4) => child(node4, "ram:GuidelineSpecifiedDocumentContextParameter").some((node5) => child(node5, "ram:ID").some((node6) => compare('=', step([node6], 'child', "text()"), [("urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_" + document.global('XR-MAJOR-MINOR-VERSION', global_XR_MAJOR_MINOR_VERSION) + "#conformant#urn:xeinkauf.de:kosit:extension:xrechnung_" + document.global('XR-MAJOR-MINOR-VERSION', global_XR_MAJOR_MINOR_VERSION))])))))));
const global_isCVD = (node, document) => compare('=', step(children(children(children(child(node, "rsm:CrossIndustryInvoice"), "rsm:ExchangedDocumentContext"), "ram:GuidelineSpecifiedDocumentContextParameter"), "ram:ID"), 'child', "text()"), [document.global('XR-CVD-ID', global_XR_CVD_ID)]);
/** Every pattern with its rules. An element is checked by the first rule of each pattern that applies to it. */
export const patterns: readonly Pattern[] = [
  [
    {
      names: ["rsm:CrossIndustryInvoice"],
      applies: (node, document) => (node?.name === 'rsm:CrossIndustryInvoice' && node?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-30', severity: 'fatal', businessTerms: ["BG-19","BT-90"],
          holds: (node, document) => (((children(children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeSettlement"), "ram:SpecifiedTradePaymentTerms"), "ram:DirectDebitMandateID").length > 0 || children(children(children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeSettlement"), "ram:SpecifiedTradeSettlementPaymentMeans"), "ram:PayerPartyDebtorFinancialAccount"), "ram:IBANID").length > 0) && children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeSettlement"), "ram:CreditorReferenceID").length > 0) || !(([...children(children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeSettlement"), "ram:SpecifiedTradePaymentTerms"), "ram:DirectDebitMandateID"), ...children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeSettlement"), "ram:CreditorReferenceID"), ...children(children(children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeSettlement"), "ram:SpecifiedTradeSettlementPaymentMeans"), "ram:PayerPartyDebtorFinancialAccount"), "ram:IBANID")].length > 0))),
          text: (node, document) => "Wenn \"DIRECT DEBIT\" BG-19 vorhanden ist, dann muss \"Bank assigned creditor identifier\" BT-90 übermittelt werden." },
        { id: 'BR-DE-31', severity: 'fatal', businessTerms: ["BG-19","BT-91"],
          holds: (node, document) => (((children(children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeSettlement"), "ram:SpecifiedTradePaymentTerms"), "ram:DirectDebitMandateID").length > 0 || children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeSettlement"), "ram:CreditorReferenceID").length > 0) && children(children(children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeSettlement"), "ram:SpecifiedTradeSettlementPaymentMeans"), "ram:PayerPartyDebtorFinancialAccount"), "ram:IBANID").length > 0) || !(([...children(children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeSettlement"), "ram:SpecifiedTradePaymentTerms"), "ram:DirectDebitMandateID"), ...children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeSettlement"), "ram:CreditorReferenceID"), ...children(children(children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeSettlement"), "ram:SpecifiedTradeSettlementPaymentMeans"), "ram:PayerPartyDebtorFinancialAccount"), "ram:IBANID")].length > 0))),
          text: (node, document) => "Wenn \"DIRECT DEBIT\" BG-19 vorhanden ist, dann muss \"Debited account identifier\" BT-91 übermittelt werden." },
        { id: 'BR-DE-1', severity: 'fatal', businessTerms: ["BG-16"],
          holds: (node, document) => child(node, "rsm:SupplyChainTradeTransaction").some((node2) => child(node2, "ram:ApplicableHeaderTradeSettlement").some((node3) => has(node3, "ram:SpecifiedTradeSettlementPaymentMeans"))),
          text: (node, document) => "Eine Rechnung (INVOICE) muss Angaben zu \"PAYMENT INSTRUCTIONS\" (BG-16) enthalten." },
        { id: 'BR-DE-15', severity: 'fatal', businessTerms: ["BT-10"],
          holds: (node, document) => child(node, "rsm:SupplyChainTradeTransaction").some((node2) => child(node2, "ram:ApplicableHeaderTradeAgreement").some((node3) => child(node3, "ram:BuyerReference").some((node4) => (normalizeSpace(textOf(single([node4]))) !== '')))),
          text: (node, document) => "Das Element \"Buyer reference\" (BT-10) muss übermittelt werden." },
        { id: 'BR-DE-16', severity: 'fatal', businessTerms: ["BT-31","BT-32","BG-11"],
          holds: (node, document) => (!((((child(node, "rsm:SupplyChainTradeTransaction").some((node2) => child(node2, "ram:IncludedSupplyChainTradeLineItem").some((node3) => child(node3, "ram:SpecifiedLineTradeSettlement").some((node4) => child(node4, "ram:ApplicableTradeTax").some((node5) => child(node5, "ram:TypeCode").some((node6) => node6.value === "VAT"))))) && child(node, "rsm:SupplyChainTradeTransaction").some((node2) => child(node2, "ram:IncludedSupplyChainTradeLineItem").some((node3) => child(node3, "ram:SpecifiedLineTradeSettlement").some((node4) => child(node4, "ram:ApplicableTradeTax").some((node5) => child(node5, "ram:CategoryCode").some((node6) => ["S", "Z", "E", "AE", "K", "G", "L", "M"].includes(node6.value))))))) || (child(node, "rsm:SupplyChainTradeTransaction").some((node2) => child(node2, "ram:ApplicableHeaderTradeSettlement").some((node3) => child(node3, "ram:SpecifiedTradeAllowanceCharge").some((node4) => child(node4, "ram:CategoryTradeTax").some((node5) => node5.value === "VAT")))) && child(node, "rsm:SupplyChainTradeTransaction").some((node2) => child(node2, "ram:ApplicableHeaderTradeSettlement").some((node3) => child(node3, "ram:SpecifiedTradeAllowanceCharge").some((node4) => child(node4, "ram:CategoryTradeTax").some((node5) => child(node5, "ram:CategoryCode").some((node6) => ["S", "Z", "E", "AE", "K", "G", "L", "M"].includes(node6.value)))))))) || (child(node, "rsm:SupplyChainTradeTransaction").some((node2) => child(node2, "ram:IncludedSupplyChainTradeLineItem").some((node3) => child(node3, "ram:SpecifiedLineTradeSettlement").some((node4) => child(node4, "ram:ApplicableTradeTax").some((node5) => child(node5, "ram:TypeCode").some((node6) => node6.value === "VAT"))))) && child(node, "rsm:SupplyChainTradeTransaction").some((node2) => child(node2, "ram:IncludedSupplyChainTradeLineItem").some((node3) => child(node3, "ram:SpecifiedLineTradeSettlement").some((node4) => child(node4, "ram:ApplicableTradeTax").some((node5) => child(node5, "ram:CategoryCode").some((node6) => ["S", "Z", "E", "AE", "K", "G", "L", "M"].includes(node6.value))))))))) || [...inOrder(children(children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeAgreement"), "ram:SellerTradeParty"), "ram:SpecifiedTaxRegistration").flatMap((node2) => child(node2, "ram:ID").filter((node3) => ((normalizeSpace(textOf(single(attribute([node3], "schemeID")))) === "VA") || (normalizeSpace(textOf(single(attribute([node3], "schemeID")))) === "FC"))).filter((node3) => (normalizeSpace(textOf(single([node3]))) !== '')))), ...children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeAgreement"), "ram:SellerTaxRepresentativeTradeParty")].length > 0),
          text: (node, document) => "Wenn in einer Rechnung die Steuercodes S, Z, E, AE, K, G, L oder M verwendet werden, muss mindestens eines der Elemente \"Seller VAT identifier\" (BT-31), \"Seller tax registration identifier\" (BT-32) oder \"SELLER TAX REPRESENTATIVE PARTY\" (BG-11) übermittelt werden." },
        { id: 'BR-DE-17', severity: 'warning', businessTerms: ["BT-3"],
          holds: (node, document) => ["326", "380", "384", "389", "381", "875", "876", "877"].includes(normalizeSpace(textOf(single(children(child(node, "rsm:ExchangedDocument"), "ram:TypeCode"))))),
          text: (node, document) => "Mit dem Element \"Invoice type code\" (BT-3) sollen ausschließlich folgende Codes aus der Codeliste UNTDID 1001 übermittelt werden: 326 (Partial invoice), 380 (Commercial invoice), 384 (Corrected invoice), 389 (Self-billed invoice) und 381 (Credit note),875 (Partial construction invoice), 876 (Partial final construction invoice), 877 (Final construction invoice)." },
        { id: 'BR-DE-18', severity: 'fatal', businessTerms: ["BT-20","BT-115"],
          holds: (node, document) => inOrder(children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeSettlement"), "ram:SpecifiedTradePaymentTerms").flatMap((node2) => at(child(node2, "ram:Description"), 1))).flatMap((node2) => tokenize(textOf(single([node2])), "(\\r?\\n)").filter((node3) => normalizeSpace(textOf(node3)).startsWith("#"))).every(($19) => (matches(normalizeSpace(textOf($19)), document.global('XR-SKONTO-REGEX', global_XR_SKONTO_REGEX)) && matches(textOf(single(inOrder(children(children(child(node, "rsm:SupplyChainTradeTransaction"), "ram:ApplicableHeaderTradeSettlement"), "ram:SpecifiedTradePaymentTerms").flatMap((node2) => at(child(node2, "ram:Description"), 1))).flatMap((node2) => tokenize(textOf(single([node2])), "#.+#").slice(-1)))), "^\\s*\\n"))),
          text: (node, document) => "Skonto Zeilen in " + nameOf(single([node])) + " muessen diesem regulärem Ausdruck entsprechen: " + document.global('XR-SKONTO-REGEX', global_XR_SKONTO_REGEX) + ". Die Informationen zur Gewährung von Skonto müssen wie folgt im Element \"Payment terms\" (BT-20) übermittelt werden: Anzugeben ist im ersten Segment \"SKONTO\", im zweiten \"TAGE=n\", im dritten \"PROZENT=n\". Prozentzahlen sind ohne Vorzeichen sowie mit Punkt getrennt von zwei Nachkommastellen anzugeben. Liegt dem zu berechnenden Betrag nicht BT-115, \"fälliger Betrag\" zugrunde, sondern nur ein Teil des fälligen Betrags der Rechnung, ist der Grundwert zur Berechnung von Skonto als viertes Segment \"BASISBETRAG=n\" gemäß dem semantischen Datentypen Amount anzugeben. Jeder Eintrag beginnt mit einer #, die Segmente sind mit einer # getrennt und eine Zeile schließt mit einer # ab. Am Ende einer vollständigen Skontoangabe muss ein XML-konformer Zeilenumbruch folgen. Alle Angaben zur Gewährung von Skonto müssen in Großbuchstaben gemacht werden. Zusätzliches Whitespace (Leerzeichen, Tabulatoren oder Zeilenumbrüche) ist nicht zulässig. Andere Zeichen oder Texte als in den oberen Vorgaben genannt sind nicht zulässig." },
        { id: 'BR-DE-22', severity: 'fatal', businessTerms: [],
          holds: (node, document) => compare('=', optional(count(document.named("ram:AdditionalReferencedDocument"))), optional(count(document.named("ram:AdditionalReferencedDocument").filter((node2) => !(compare('=', attribute(child(node2, "ram:AttachmentBinaryObject"), "filename"), attribute(children(step([node2], 'preceding-sibling', "ram:AdditionalReferencedDocument"), "ram:AttachmentBinaryObject"), "filename"))))))),
          text: (node, document) => "Not all filename attributes of the embeddedDocumentBinaryObject elements are unique" },
        { id: 'BR-DE-26', severity: 'warning', businessTerms: ["BT-3","BG-3"],
          holds: (node, document) => (!((normalizeSpace(textOf(single(children(child(node, "rsm:ExchangedDocument"), "ram:TypeCode")))) === "384")) || child(node, "rsm:SupplyChainTradeTransaction").some((node2) => child(node2, "ram:ApplicableHeaderTradeSettlement").some((node3) => has(node3, "ram:InvoiceReferencedDocument")))),
          text: (node, document) => "Wenn im Element Invoice type code (BT-3) der Code 384 (Corrected invoice) übergeben wird, soll PRECEDING INVOICE REFERENCE BG-3 mind. einmal vorhanden sein." },
      ],
    },
    {
      names: ["rsm:ExchangedDocumentContext"],
      applies: (node, document) => (node?.name === 'rsm:ExchangedDocumentContext' && node?.parent?.name === 'rsm:CrossIndustryInvoice' && node?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-21', severity: 'warning', businessTerms: ["BT-24"],
          holds: (node, document) => ((compare('=', children(child(node, "ram:GuidelineSpecifiedDocumentContextParameter"), "ram:ID"), [document.global('XR-CIUS-ID', global_XR_CIUS_ID)]) || compare('=', children(child(node, "ram:GuidelineSpecifiedDocumentContextParameter"), "ram:ID"), [document.global('XR-EXTENSION-ID', global_XR_EXTENSION_ID)])) || compare('=', children(child(node, "ram:GuidelineSpecifiedDocumentContextParameter"), "ram:ID"), [document.global('XR-CVD-ID', global_XR_CVD_ID)])),
          text: (node, document) => "Das Element \"Specification identifier\" (BT-24) soll syntaktisch der Kennung des Standards XRechnung entsprechen." },
      ],
    },
    {
      names: ["ram:SellerTradeParty"],
      applies: (node, document) => (node?.name === 'ram:SellerTradeParty' && node?.parent?.name === 'ram:ApplicableHeaderTradeAgreement' && node?.parent?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && node?.parent?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-2', severity: 'fatal', businessTerms: ["BG-6"],
          holds: (node, document) => has(node, "ram:DefinedTradeContact"),
          text: (node, document) => "Die Gruppe \"SELLER CONTACT\" (BG-6) muss übermittelt werden." },
      ],
    },
    {
      names: ["ram:PostalTradeAddress"],
      applies: (node, document) => (node?.name === 'ram:PostalTradeAddress' && node?.parent?.name === 'ram:SellerTradeParty' && node?.parent?.parent?.name === 'ram:ApplicableHeaderTradeAgreement' && node?.parent?.parent?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && node?.parent?.parent?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-3', severity: 'fatal', businessTerms: ["BT-37"],
          holds: (node, document) => child(node, "ram:CityName").some((node2) => (normalizeSpace(textOf(single([node2]))) !== '')),
          text: (node, document) => "Das Element \"Seller city\" (BT-37) muss übermittelt werden." },
        { id: 'BR-DE-4', severity: 'fatal', businessTerms: ["BT-38"],
          holds: (node, document) => child(node, "ram:PostcodeCode").some((node2) => (normalizeSpace(textOf(single([node2]))) !== '')),
          text: (node, document) => "Das Element \"Seller post code\" (BT-38) muss übermittelt werden." },
      ],
    },
    {
      names: ["ram:DefinedTradeContact"],
      applies: (node, document) => (node?.name === 'ram:DefinedTradeContact' && node?.parent?.name === 'ram:SellerTradeParty' && node?.parent?.parent?.name === 'ram:ApplicableHeaderTradeAgreement' && node?.parent?.parent?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && node?.parent?.parent?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-5', severity: 'fatal', businessTerms: ["BT-41"],
          holds: (node, document) => [...child(node, "ram:PersonName"), ...child(node, "ram:DepartmentName")].some((node2) => (normalizeSpace(textOf(single([node2]))) !== '')),
          text: (node, document) => "Das Element \"Seller contact point\" (BT-41) muss übermittelt werden." },
        { id: 'BR-DE-6', severity: 'fatal', businessTerms: ["BT-42"],
          holds: (node, document) => child(node, "ram:TelephoneUniversalCommunication").some((node2) => child(node2, "ram:CompleteNumber").some((node3) => (normalizeSpace(textOf(single([node3]))) !== ''))),
          text: (node, document) => "Das Element \"Seller contact telephone number\" (BT-42) muss übermittelt werden." },
        { id: 'BR-DE-7', severity: 'fatal', businessTerms: ["BT-43"],
          holds: (node, document) => child(node, "ram:EmailURIUniversalCommunication").some((node2) => child(node2, "ram:URIID").some((node3) => (normalizeSpace(textOf(single([node3]))) !== ''))),
          text: (node, document) => "Das Element \"Seller contact email address\" (BT-43) muss übermittelt werden." },
        { id: 'BR-DE-27', severity: 'warning', businessTerms: ["BT-42"],
          holds: (node, document) => matches(normalizeSpace(textOf(single(children(child(node, "ram:TelephoneUniversalCommunication"), "ram:CompleteNumber")))), document.global('XR-TELEPHONE-REGEX', global_XR_TELEPHONE_REGEX)),
          text: (node, document) => "In BT-42 sollen mindestens drei Ziffern enthalten sein." },
        { id: 'BR-DE-28', severity: 'warning', businessTerms: ["BT-43"],
          holds: (node, document) => matches(normalizeSpace(textOf(single(children(child(node, "ram:EmailURIUniversalCommunication"), "ram:URIID")))), document.global('XR-EMAIL-REGEX', global_XR_EMAIL_REGEX)),
          text: (node, document) => "In BT-43 soll genau ein @-Zeichen enthalten sein, welches nicht von einem Leerzeichen, einem Punkt, aber mindestens zwei Zeichen auf beiden Seiten flankiert werden soll. Ein Punkt sollte nicht am Anfang oder am Ende stehen." },
      ],
    },
    {
      names: ["ram:PostalTradeAddress"],
      applies: (node, document) => (node?.name === 'ram:PostalTradeAddress' && node?.parent?.name === 'ram:BuyerTradeParty' && node?.parent?.parent?.name === 'ram:ApplicableHeaderTradeAgreement' && node?.parent?.parent?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && node?.parent?.parent?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-8', severity: 'fatal', businessTerms: ["BT-52"],
          holds: (node, document) => child(node, "ram:CityName").some((node2) => (normalizeSpace(textOf(single([node2]))) !== '')),
          text: (node, document) => "Das Element \"Buyer city\" (BT-52) muss übermittelt werden." },
        { id: 'BR-DE-9', severity: 'fatal', businessTerms: ["BT-53"],
          holds: (node, document) => child(node, "ram:PostcodeCode").some((node2) => (normalizeSpace(textOf(single([node2]))) !== '')),
          text: (node, document) => "Das Element \"Buyer post code\" (BT-53) muss übermittelt werden." },
      ],
    },
    {
      names: ["ram:AdditionalReferencedDocument"],
      applies: (node, document) => (node?.name === 'ram:AdditionalReferencedDocument' && (child(node, "ram:TypeCode").some((node2) => node2.value === "916")) && node?.parent?.name === 'ram:ApplicableHeaderTradeAgreement' && node?.parent?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && node?.parent?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-TMP-2', severity: 'warning', businessTerms: ["BT-124"],
          holds: (node, document) => (!((has(node, "ram:URIID"))) || matches(textOf(single(child(node, "ram:URIID"))), document.global('XR-URL-REGEX', global_XR_URL_REGEX))),
          text: (node, document) => "BT-124 \"External document location\" muss eine absolute URL mit gültigem Schema enthalten." },
      ],
    },
    {
      names: ["ram:PostalTradeAddress"],
      applies: (node, document) => (node?.name === 'ram:PostalTradeAddress' && node?.parent?.name === 'ram:ShipToTradeParty' && node?.parent?.parent?.name === 'ram:ApplicableHeaderTradeDelivery' && node?.parent?.parent?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && node?.parent?.parent?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-10', severity: 'fatal', businessTerms: ["BT-77","BG-15"],
          holds: (node, document) => child(node, "ram:CityName").some((node2) => (normalizeSpace(textOf(single([node2]))) !== '')),
          text: (node, document) => "Das Element \"Deliver to city\" (BT-77) muss übermittelt werden, wenn die Gruppe \"DELIVER TO ADDRESS\" (BG-15) übermittelt wird." },
        { id: 'BR-DE-11', severity: 'fatal', businessTerms: ["BT-78","BG-15"],
          holds: (node, document) => child(node, "ram:PostcodeCode").some((node2) => (normalizeSpace(textOf(single([node2]))) !== '')),
          text: (node, document) => "Das Element \"Deliver to post code\" (BT-78) muss übermittelt werden, wenn die Gruppe \"DELIVER TO ADDRESS\" (BG-15) übermittelt wird." },
      ],
    },
    {
      names: ["ram:SpecifiedTradeSettlementPaymentMeans"],
      applies: (node, document) => (node?.name === 'ram:SpecifiedTradeSettlementPaymentMeans' && (["30", "58"].includes(normalizeSpace(textOf(single(child(node, "ram:TypeCode")))))) && node?.parent?.name === 'ram:ApplicableHeaderTradeSettlement' && node?.parent?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && node?.parent?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-19', severity: 'warning', businessTerms: ["BT-84","BT-81"],
          holds: (node, document) => (!((normalizeSpace(textOf(single(child(node, "ram:TypeCode")))) === "58")) || (matches(normalizeSpace(replace(textOf(single(children(child(node, "ram:PayeePartyCreditorFinancialAccount"), "ram:IBANID"))), "([ \\n\\r\\t\\s])", "")), "^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{0,30}$") && compare('=', optional(calculate('mod', castInteger(stringJoin(codepoints((substring(normalizeSpace(replace(textOf(single(children(child(node, "ram:PayeePartyCreditorFinancialAccount"), "ram:IBANID"))), "([ \\n\\r\\t\\s])", "")), Decimal.integer(5)) + substring(normalizeSpace(replace(textOf(single(children(child(node, "ram:PayeePartyCreditorFinancialAccount"), "ram:IBANID"))), "([ \\n\\r\\t\\s])", "")), Decimal.integer(1), Decimal.integer(2)).toUpperCase() + substring(normalizeSpace(replace(textOf(single(children(child(node, "ram:PayeePartyCreditorFinancialAccount"), "ram:IBANID"))), "([ \\n\\r\\t\\s])", "")), Decimal.integer(3), Decimal.integer(2)))).flatMap(($15) => [(compare('>', optional($15), optional(Decimal.integer(64))) ? textOf(calculate('-', $15, Decimal.integer(55))) : textOf(calculate('-', $15, Decimal.integer(48))))]), "")), Decimal.integer(97))), optional(Decimal.integer(1))))),
          text: (node, document) => "\"Payment account identifier\" (BT-84) soll eine korrekte IBAN enthalten, wenn in \"Payment means type code\" (BT-81) mit dem Code 58 SEPA als Zahlungsmittel gefordert wird." },
        { id: 'BR-DE-23-a', severity: 'fatal', businessTerms: ["BT-81","BG-17"],
          holds: (node, document) => has(node, "ram:PayeePartyCreditorFinancialAccount"),
          text: (node, document) => "Wenn BT-81 \"Payment means type code\" einen Schlüssel für Überweisungen enthält (30, 58), muss BG-17 \"CREDIT TRANSFER\" übermittelt werden." },
        { id: 'BR-DE-23-b', severity: 'fatal', businessTerms: ["BT-81","BG-18","BG-19"],
          holds: (node, document) => (!(has(node, "ram:ApplicableTradeSettlementFinancialCard")) && !((([document.node].some((node2) => child(node2, "rsm:CrossIndustryInvoice").some((node3) => child(node3, "rsm:SupplyChainTradeTransaction").some((node4) => child(node4, "ram:ApplicableHeaderTradeSettlement").some((node5) => child(node5, "ram:SpecifiedTradePaymentTerms").some((node6) => has(node6, "ram:DirectDebitMandateID")))))) || [document.node].some((node2) => child(node2, "rsm:CrossIndustryInvoice").some((node3) => child(node3, "rsm:SupplyChainTradeTransaction").some((node4) => child(node4, "ram:ApplicableHeaderTradeSettlement").some((node5) => has(node5, "ram:CreditorReferenceID")))))) || child(node, "ram:PayerPartyDebtorFinancialAccount").some((node2) => has(node2, "ram:IBANID"))))),
          text: (node, document) => "Wenn BT-81 \"Payment means type code\" einen Schlüssel für Überweisungen enthält (30, 58), dürfen BG-18 und BG-19 nicht übermittelt werden." },
      ],
    },
    {
      names: ["ram:SpecifiedTradeSettlementPaymentMeans"],
      applies: (node, document) => (node?.name === 'ram:SpecifiedTradeSettlementPaymentMeans' && (["48", "54", "55"].includes(normalizeSpace(textOf(single(child(node, "ram:TypeCode")))))) && node?.parent?.name === 'ram:ApplicableHeaderTradeSettlement' && node?.parent?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && node?.parent?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-24-a', severity: 'fatal', businessTerms: ["BT-81","BG-18"],
          holds: (node, document) => has(node, "ram:ApplicableTradeSettlementFinancialCard"),
          text: (node, document) => "Wenn BT-81 \"Payment means type code\" einen Schlüssel für Kartenzahlungen enthält (48, 54, 55), muss genau BG-18 \"PAYMENT CARD INFORMATION\" übermittelt werden." },
        { id: 'BR-DE-24-b', severity: 'fatal', businessTerms: ["BT-81","BG-17","BG-19"],
          holds: (node, document) => (!(has(node, "ram:PayeePartyCreditorFinancialAccount")) && !((([document.node].some((node2) => child(node2, "rsm:CrossIndustryInvoice").some((node3) => child(node3, "rsm:SupplyChainTradeTransaction").some((node4) => child(node4, "ram:ApplicableHeaderTradeSettlement").some((node5) => child(node5, "ram:SpecifiedTradePaymentTerms").some((node6) => has(node6, "ram:DirectDebitMandateID")))))) || [document.node].some((node2) => child(node2, "rsm:CrossIndustryInvoice").some((node3) => child(node3, "rsm:SupplyChainTradeTransaction").some((node4) => child(node4, "ram:ApplicableHeaderTradeSettlement").some((node5) => has(node5, "ram:CreditorReferenceID")))))) || child(node, "ram:PayerPartyDebtorFinancialAccount").some((node2) => has(node2, "ram:IBANID"))))),
          text: (node, document) => "Wenn BT-81 \"Payment means type code\" einen Schlüssel für Kartenzahlungen enthält (48, 54, 55), dürfen BG-17 und BG-19 nicht übermittelt werden." },
      ],
    },
    {
      names: ["ram:SpecifiedTradeSettlementPaymentMeans"],
      applies: (node, document) => (node?.name === 'ram:SpecifiedTradeSettlementPaymentMeans' && ((normalizeSpace(textOf(single(child(node, "ram:TypeCode")))) === "59")) && node?.parent?.name === 'ram:ApplicableHeaderTradeSettlement' && node?.parent?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && node?.parent?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-20', severity: 'warning', businessTerms: ["BT-91","BT-81"],
          holds: (node, document) => (!((normalizeSpace(textOf(single(child(node, "ram:TypeCode")))) === "59")) || (matches(normalizeSpace(replace(textOf(single(children(child(node, "ram:PayerPartyDebtorFinancialAccount"), "ram:IBANID"))), "([ \\n\\r\\t\\s])", "")), "^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{0,30}$") && compare('=', optional(calculate('mod', castDecimal(stringJoin(codepoints((substring(normalizeSpace(replace(textOf(single(children(child(node, "ram:PayerPartyDebtorFinancialAccount"), "ram:IBANID"))), "([ \\n\\r\\t\\s])", "")), Decimal.integer(5)) + substring(normalizeSpace(replace(textOf(single(children(child(node, "ram:PayerPartyDebtorFinancialAccount"), "ram:IBANID"))), "([ \\n\\r\\t\\s])", "")), Decimal.integer(1), Decimal.integer(2)).toUpperCase() + substring(normalizeSpace(replace(textOf(single(children(child(node, "ram:PayerPartyDebtorFinancialAccount"), "ram:IBANID"))), "([ \\n\\r\\t\\s])", "")), Decimal.integer(3), Decimal.integer(2)))).flatMap(($15) => [(compare('>', optional($15), optional(Decimal.integer(64))) ? textOf(calculate('-', $15, Decimal.integer(55))) : textOf(calculate('-', $15, Decimal.integer(48))))]), "")), Decimal.integer(97))), optional(Decimal.integer(1))))),
          text: (node, document) => "\"Debited account identifier\" (BT-91) soll eine korrekte IBAN enthalten, wenn in \"Payment means type code\" (BT-81) mit dem Code 59 SEPA als Zahlungsmittel gefordert wird." },
        { id: 'BR-DE-25-a', severity: 'fatal', businessTerms: ["BT-81","BG-19"],
          holds: (node, document) => (([document.node].some((node2) => child(node2, "rsm:CrossIndustryInvoice").some((node3) => child(node3, "rsm:SupplyChainTradeTransaction").some((node4) => child(node4, "ram:ApplicableHeaderTradeSettlement").some((node5) => child(node5, "ram:SpecifiedTradePaymentTerms").some((node6) => has(node6, "ram:DirectDebitMandateID")))))) || [document.node].some((node2) => child(node2, "rsm:CrossIndustryInvoice").some((node3) => child(node3, "rsm:SupplyChainTradeTransaction").some((node4) => child(node4, "ram:ApplicableHeaderTradeSettlement").some((node5) => has(node5, "ram:CreditorReferenceID")))))) || child(node, "ram:PayerPartyDebtorFinancialAccount").some((node2) => has(node2, "ram:IBANID"))),
          text: (node, document) => "Wenn BT-81 \"Payment means type code\" einen Schlüssel für Lastschriften enthält (59), muss genau BG-19 \"DIRECT DEBIT\" übermittelt werden." },
        { id: 'BR-DE-25-b', severity: 'fatal', businessTerms: ["BT-81","BG-17","BG-18"],
          holds: (node, document) => (((!(has(node, "ram:PayeePartyCreditorFinancialAccount")) && !(has(node, "ram:PayeeSpecifiedCreditorFinancialInstitution"))) && !(has(node, "ram:PayerSpecifiedDebtorFinancialInstitution"))) && !(has(node, "ram:ApplicableTradeSettlementFinancialCard"))),
          text: (node, document) => "Wenn BT-81 \"Payment means type code\" einen Schlüssel für Lastschriften enthält (59), dürfen BG-17 und BG-18 nicht übermittelt werden." },
      ],
    },
    {
      names: ["ram:ApplicableTradeTax"],
      applies: (node, document) => (node?.name === 'ram:ApplicableTradeTax' && node?.parent?.name === 'ram:ApplicableHeaderTradeSettlement' && node?.parent?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && node?.parent?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-14', severity: 'fatal', businessTerms: ["BT-119"],
          holds: (node, document) => child(node, "ram:RateApplicablePercent").some((node2) => (normalizeSpace(textOf(single([node2]))) !== '')),
          text: (node, document) => "Das Element \"VAT category rate\" (BT-119) muss übermittelt werden." },
      ],
    },
    {
      names: ["rsm:SupplyChainTradeTransaction"],
      applies: (node, document) => (node?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.name === 'rsm:CrossIndustryInvoice' && node?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-TMP-32', severity: 'information', businessTerms: ["BT-72","BG-14","BG-26"],
          holds: (node, document) => ((child(node, "ram:ApplicableHeaderTradeDelivery").some((node2) => child(node2, "ram:ActualDeliverySupplyChainEvent").some((node3) => has(node3, "ram:OccurrenceDateTime"))) || child(node, "ram:ApplicableHeaderTradeSettlement").some((node2) => has(node2, "ram:BillingSpecifiedPeriod"))) || child(node, "ram:IncludedSupplyChainTradeLineItem").every(($15) => [$15].some((node2) => child(node2, "ram:SpecifiedLineTradeSettlement").some((node3) => has(node3, "ram:BillingSpecifiedPeriod"))))),
          text: (node, document) => "Eine Rechnung sollte zur Angabe des Liefer-/Leistungsdatums entweder BT-72 \"Actual delivery date\", BG-14 \"Invoicing period\" oder in jeder Rechnungsposition BG-26 \"Invoice line period\" enthalten." },
      ],
    },
    {
      names: ["ram:IncludedSupplyChainTradeLineItem"],
      applies: (node, document) => (node?.name === 'ram:IncludedSupplyChainTradeLineItem' && node?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && node?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-TMP-3', severity: 'fatal', businessTerms: ["BT-149","BT-150"],
          holds: (node, document) => (!((child(node, "ram:SpecifiedLineTradeAgreement").some((node2) => child(node2, "ram:GrossPriceProductTradePrice").some((node3) => has(node3, "ram:BasisQuantity"))) && child(node, "ram:SpecifiedLineTradeAgreement").some((node2) => child(node2, "ram:NetPriceProductTradePrice").some((node3) => has(node3, "ram:BasisQuantity"))))) || (compare('=', children(children(child(node, "ram:SpecifiedLineTradeAgreement"), "ram:GrossPriceProductTradePrice"), "ram:BasisQuantity"), children(children(child(node, "ram:SpecifiedLineTradeAgreement"), "ram:NetPriceProductTradePrice"), "ram:BasisQuantity")) && (!((child(node, "ram:SpecifiedLineTradeAgreement").some((node2) => child(node2, "ram:NetPriceProductTradePrice").some((node3) => child(node3, "ram:BasisQuantity").some((node4) => attribute([node4], "unitCode").length > 0))) && child(node, "ram:SpecifiedLineTradeAgreement").some((node2) => child(node2, "ram:GrossPriceProductTradePrice").some((node3) => child(node3, "ram:BasisQuantity").some((node4) => attribute([node4], "unitCode").length > 0))))) || compare('=', attribute(children(children(child(node, "ram:SpecifiedLineTradeAgreement"), "ram:GrossPriceProductTradePrice"), "ram:BasisQuantity"), "unitCode"), attribute(children(children(child(node, "ram:SpecifiedLineTradeAgreement"), "ram:NetPriceProductTradePrice"), "ram:BasisQuantity"), "unitCode"))))),
          text: (node, document) => "Wenn BT-149 (Item price base quantity) sowohl in GrossPriceProductTradePrice als auch in NetPriceProductTradePrice vorhanden ist, müssen die Werte identisch sein. Wenn BT-150 (unit of measure code) auf dem NetPrice-Pfad vorhanden ist, muss es auch auf dem GrossPrice-Pfad vorhanden und identisch sein." },
      ],
    },
  ],
  [
    {
      names: ["ram:AssociatedDocumentLineDocument"],
      applies: (node, document) => (node?.name === 'ram:AssociatedDocumentLineDocument' && (document.global('isExtension', global_isExtension)) && node?.parent?.name === 'ram:IncludedSupplyChainTradeLineItem' && node?.parent?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && node?.parent?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DEX-15', severity: 'warning', businessTerms: [],
          holds: (node, document) => !((document.named("ram:ParentLineID").length > 0)),
          text: (node, document) => "This CII file might use the concept of Sub Invoice Lines. However XRechnung does not support this." },
      ],
    },
    {
      names: ["ram:GlobalID"],
      applies: (node, document) => (node?.name === 'ram:GlobalID' && ((attribute([node], "schemeID").length > 0 && document.global('isExtension', global_isExtension))) && ((!(step([node], 'ancestor', "ram:SpecifiedTradeProduct").length > 0) && !(step([node], 'ancestor', "ram:ShipToTradeParty").length > 0)))),
      asserts: [
        { id: 'BR-DEX-04', severity: 'fatal', businessTerms: [],
          holds: (node, document) => (!(normalizeSpace(textOf(single(attribute([node], "schemeID")))).includes(" ")) && document.global('ISO-6523-ICD-EXT-CODES', global_ISO_6523_ICD_EXT_CODES).includes((" " + normalizeSpace(textOf(single(attribute([node], "schemeID")))) + " "))),
          text: (node, document) => "Any scheme identifier in " + nameOf(single([node])) + " MUST be coded using one of the ISO 6523 ICD list." },
      ],
    },
    {
      names: ["ram:ID"],
      applies: (node, document) => (node?.name === 'ram:ID' && ((attribute([node], "schemeID").length > 0 && document.global('isExtension', global_isExtension))) && (!(step([node], 'ancestor', "ram:SpecifiedTaxRegistration").length > 0))),
      asserts: [
        { id: 'BR-DEX-05', severity: 'fatal', businessTerms: [],
          holds: (node, document) => (!(normalizeSpace(textOf(single(attribute([node], "schemeID")))).includes(" ")) && document.global('ISO-6523-ICD-EXT-CODES', global_ISO_6523_ICD_EXT_CODES).includes((" " + normalizeSpace(textOf(single(attribute([node], "schemeID")))) + " "))),
          text: (node, document) => "Any scheme identifier in " + nameOf(single([node])) + " MUST be coded using one of the ISO 6523 ICD list." },
      ],
    },
    {
      names: ["ram:GlobalID"],
      applies: (node, document) => (node?.name === 'ram:GlobalID' && ((attribute([node], "schemeID").length > 0 && document.global('isExtension', global_isExtension))) && node?.parent?.name === 'ram:SpecifiedTradeProduct'),
      asserts: [
        { id: 'BR-DEX-06', severity: 'fatal', businessTerms: [],
          holds: (node, document) => (!(normalizeSpace(textOf(single(attribute([node], "schemeID")))).includes(" ")) && document.global('ISO-6523-ICD-EXT-CODES', global_ISO_6523_ICD_EXT_CODES).includes((" " + normalizeSpace(textOf(single(attribute([node], "schemeID")))) + " "))),
          text: (node, document) => "Any scheme identifier in " + nameOf(single([node])) + " MUST be coded using one of the ISO 6523 ICD list." },
      ],
    },
    {
      names: ["ram:URIID"],
      applies: (node, document) => (node?.name === 'ram:URIID' && ((attribute([node], "schemeID").length > 0 && document.global('isExtension', global_isExtension))) && node?.parent?.name === 'ram:URIUniversalCommunication'),
      asserts: [
        { id: 'BR-DEX-07', severity: 'fatal', businessTerms: [],
          holds: (node, document) => (!(normalizeSpace(textOf(single(attribute([node], "schemeID")))).includes(" ")) && document.global('CEF-EAS-EXT-CODES', global_CEF_EAS_EXT_CODES).includes((" " + normalizeSpace(textOf(single(attribute([node], "schemeID")))) + " "))),
          text: (node, document) => "Any scheme identifier for an Endpoint Identifier in " + nameOf(single([node])) + " MUST belong to the CEF EAS code list." },
      ],
    },
    {
      names: ["ram:GlobalID"],
      applies: (node, document) => (node?.name === 'ram:GlobalID' && ((attribute([node], "schemeID").length > 0 && document.global('isExtension', global_isExtension))) && node?.parent?.name === 'ram:ShipToTradeParty' && node?.parent?.parent?.name === 'ram:ApplicableHeaderTradeDelivery'),
      asserts: [
        { id: 'BR-DEX-08', severity: 'fatal', businessTerms: [],
          holds: (node, document) => (!(normalizeSpace(textOf(single(attribute([node], "schemeID")))).includes(" ")) && document.global('ISO-6523-ICD-EXT-CODES', global_ISO_6523_ICD_EXT_CODES).includes((" " + normalizeSpace(textOf(single(attribute([node], "schemeID")))) + " "))),
          text: (node, document) => "Any scheme identifier for a Delivery location identifier in " + nameOf(single([node])) + " MUST be coded using one of the ISO 6523 ICD list." },
      ],
    },
    {
      names: ["ram:AttachmentBinaryObject"],
      applies: (node, document) => (node?.name === 'ram:AttachmentBinaryObject' && (document.global('isExtension', global_isExtension))),
      asserts: [
        { id: 'BR-DEX-01', severity: 'fatal', businessTerms: ["BT-125"],
          holds: (node, document) => [node].some((node2) => ((((((attribute([node2], "mimeCode").some((node3) => node3.value === "application/pdf") || attribute([node2], "mimeCode").some((node3) => node3.value === "image/png")) || attribute([node2], "mimeCode").some((node3) => node3.value === "image/jpeg")) || attribute([node2], "mimeCode").some((node3) => node3.value === "text/csv")) || attribute([node2], "mimeCode").some((node3) => node3.value === "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")) || attribute([node2], "mimeCode").some((node3) => node3.value === "application/vnd.oasis.opendocument.spreadsheet")) || attribute([node2], "mimeCode").some((node3) => node3.value === "application/xml"))),
          text: (node, document) => "Das Element " + nameOf(single([node])) + " \"Attached Document\" (BT-125) benutzt einen nicht zulässigen MIME-Code: " + textOf(single(attribute([node], "mimeCode"))) + ". Im Falle einer Extension darf zusätzlich zu der Liste der mime codes (definiert in Abschnitt 8.2, \"Binary Object\") der MIME-Code application/xml genutzt werden." },
      ],
    },
  ],
  [
    {
      names: ["rsm:SupplyChainTradeTransaction"],
      applies: (node, document) => (node?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.name === 'rsm:CrossIndustryInvoice' && ((node) => document.global('isCVD', global_isCVD))(node?.parent) && node?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-CVD-03', severity: 'fatal', businessTerms: ["BG-25","BT-158","BT-160"],
          holds: (node, document) => child(node, "ram:IncludedSupplyChainTradeLineItem").some((node2) => child(node2, "ram:SpecifiedTradeProduct").some((node3) => (child(node3, "ram:DesignatedProductClassification").some((node4) => child(node4, "ram:ClassCode").some((node5) => attribute([node5], "listID").some((node6) => node6.value === "CVD"))) && child(node3, "ram:ApplicableProductCharacteristic").some((node4) => child(node4, "ram:Description").some((node5) => node5.value === "cva"))))),
          text: (node, document) => "In einer Rechnung muss mindestens eine " + nameOf(single([node])) + " INVOICE LINE (BG-25) enthalten sein, in der der Scheme identifier von " + nameOf(single([node])) + " \"Item classification identifier\" (BT-158) den Wert 'CVD' und der " + nameOf(single([node])) + " \"Item attribute name\" (BT-160) den Wert 'cva' enthält." },
      ],
    },
    {
      names: ["ram:SpecifiedTradeProduct"],
      applies: (node, document) => (node?.name === 'ram:SpecifiedTradeProduct' && node?.parent?.name === 'ram:IncludedSupplyChainTradeLineItem' && node?.parent?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && ((node) => document.global('isCVD', global_isCVD))(node?.parent?.parent?.parent) && node?.parent?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-CVD-06-b', severity: 'fatal', businessTerms: ["BT-160","BT-158"],
          holds: (node, document) => (!(child(node, "ram:ApplicableProductCharacteristic").some((node2) => child(node2, "ram:Description").some((node3) => node3.value === "cva"))) || compare('=', optional(count(children(child(node, "ram:DesignatedProductClassification"), "ram:ClassCode").filter((node2) => attribute([node2], "listID").some((node3) => node3.value === "CVD")))), optional(Decimal.integer(1)))),
          text: (node, document) => "Wenn " + nameOf(single([node])) + " \"Item attribute name\" (BT-160) mit dem Wert 'cva' angegeben ist, muss in derselben Rechnungszeile genau ein " + nameOf(single([node])) + " \"Item classification identifier\" (BT-158) mit dem Scheme identifier 'CVD' vorhanden sein." },
        { id: 'BR-DE-CVD-06-a', severity: 'fatal', businessTerms: ["BT-158","BT-160"],
          holds: (node, document) => (!(child(node, "ram:DesignatedProductClassification").some((node2) => child(node2, "ram:ClassCode").some((node3) => attribute([node3], "listID").some((node4) => node4.value === "CVD")))) || compare('=', optional(count(child(node, "ram:ApplicableProductCharacteristic").filter((node2) => child(node2, "ram:Description").some((node3) => node3.value === "cva")))), optional(Decimal.integer(1)))),
          text: (node, document) => "Wenn der Scheme identifier von " + nameOf(single([node])) + " \"Item classification identifier\" (BT-158) mit dem Wert 'CVD' angegeben ist, muss in derselben Rechnungszeile genau ein " + nameOf(single([node])) + " \"Item attribute name\" (BT-160) mit dem Wert 'cva' vorhanden sein." },
      ],
    },
    {
      names: ["ram:ClassCode"],
      applies: (node, document) => (node?.name === 'ram:ClassCode' && node?.parent?.name === 'ram:DesignatedProductClassification' && node?.parent?.parent?.name === 'ram:SpecifiedTradeProduct' && node?.parent?.parent?.parent?.name === 'ram:IncludedSupplyChainTradeLineItem' && node?.parent?.parent?.parent?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.parent?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && ((node) => document.global('isCVD', global_isCVD))(node?.parent?.parent?.parent?.parent?.parent) && node?.parent?.parent?.parent?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-TMP-CVD-01', severity: 'fatal', businessTerms: ["BT-158"],
          holds: (node, document) => (!(normalizeSpace(textOf(single(attribute([node], "listID")))).includes(" ")) && document.global('UNTDID-7143-CVD-CODES', global_UNTDID_7143_CVD_CODES).includes((" " + normalizeSpace(textOf(single(attribute([node], "listID")))) + " "))),
          text: (node, document) => "Das Bildungsschema für " + nameOf(single([node])) + " \"Item classification identifier\" (BT-158) ist aus der Codeliste UNTDID 7143 zu wählen." },
        { id: 'BR-DE-CVD-04', severity: 'fatal', businessTerms: ["BT-158"],
          holds: (node, document) => (!((normalizeSpace(textOf(single(attribute([node], "listID")))) === "CVD")) || compare('=', [normalizeSpace(textOf(single([node])))], document.global('CVD-VEHICLE-CATEGORY', global_CVD_VEHICLE_CATEGORY))),
          text: (node, document) => "Ein " + nameOf(single([node])) + " \"Item classification identifier\" (BT-158) mit dem Scheme identifier 'CVD' muss einen Wert aus der Liste der zulässigen Fahrzeugkategorien enthalten." },
      ],
    },
    {
      names: ["ram:ApplicableProductCharacteristic"],
      applies: (node, document) => (node?.name === 'ram:ApplicableProductCharacteristic' && (child(node, "ram:Description").some((node2) => node2.value === "cva")) && node?.parent?.name === 'ram:SpecifiedTradeProduct' && node?.parent?.parent?.name === 'ram:IncludedSupplyChainTradeLineItem' && node?.parent?.parent?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && ((node) => document.global('isCVD', global_isCVD))(node?.parent?.parent?.parent?.parent) && node?.parent?.parent?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-CVD-05', severity: 'fatal', businessTerms: ["BG-32","BT-160","BT-161"],
          holds: (node, document) => compare('=', [normalizeSpace(textOf(single(child(node, "ram:Value"))))], document.global('CVA-CODES', global_CVA_CODES)),
          text: (node, document) => "Wenn innerhalb von " + nameOf(single([node])) + " ITEM ATTRIBUTES (BG-32) der " + nameOf(single([node])) + " \"Item attribute name\" (BT-160) den Wert 'cva' hat, muss der " + nameOf(single([node])) + " \"Item attribute value\" (BT-161) einen der zulässigen Werte enthalten." },
      ],
    },
    {
      names: ["ram:ApplicableHeaderTradeAgreement"],
      applies: (node, document) => (node?.name === 'ram:ApplicableHeaderTradeAgreement' && node?.parent?.name === 'rsm:SupplyChainTradeTransaction' && node?.parent?.parent?.name === 'rsm:CrossIndustryInvoice' && ((node) => document.global('isCVD', global_isCVD))(node?.parent?.parent) && node?.parent?.parent?.parent?.kind === 'document'),
      asserts: [
        { id: 'BR-DE-CVD-01', severity: 'fatal', businessTerms: ["BT-12"],
          holds: (node, document) => child(node, "ram:ContractReferencedDocument").some((node2) => child(node2, "ram:IssuerAssignedID").some((node3) => (normalizeSpace(textOf(single([node3]))) !== ''))),
          text: (node, document) => "Das Element " + nameOf(single([node])) + " \"Contract reference\" (BT-12) muss übermittelt werden." },
        { id: 'BR-DE-CVD-02', severity: 'fatal', businessTerms: ["BT-17"],
          holds: (node, document) => child(node, "ram:AdditionalReferencedDocument").some((node2) => ((normalizeSpace(textOf(single(child(node2, "ram:TypeCode")))) === "50") && (normalizeSpace(textOf(single(child(node2, "ram:IssuerAssignedID")))) !== ''))),
          text: (node, document) => "Das Element " + nameOf(single([node])) + " \"Tender or lot reference\" (BT-17) muss übermittelt werden." },
      ],
    },
  ],
];
