/** Made from the OpenAPI document: `npm run generate` writes it. */
export interface components {
    schemas: {
        /** @description Seller (BG-4) */
        readonly InvoiceSeller: {
            /** @description Full name (BT-27) */
            readonly name: string;
            /** @description Name by which the seller is known (BT-28) */
            readonly tradingName?: string;
            /** @description Identifier of the seller (BT-29) */
            readonly identifiers?: readonly {
                /** @description Identifier of the seller (BT-29) */
                readonly id: string;
                /** @description Scheme of the identifier, from ISO/IEC 6523 (BT-29-1) */
                readonly scheme?: string;
            }[];
            /** @description Number in a register of companies (BT-30) */
            readonly legalId?: {
                /** @description Number in a register of companies (BT-30) */
                readonly id: string;
                /** @description Scheme of the identifier, from ISO/IEC 6523 (BT-30-1) */
                readonly scheme?: string;
            };
            /** @description VAT identifier, with the letters of its country (BT-31) */
            readonly vatId?: string;
            /** @description Number of the local tax office (BT-32) */
            readonly taxNumber?: string;
            /** @description Legal form, share capital and the like (BT-33) */
            readonly legalInformation?: string;
            /** @description Electronic address (BT-34) */
            readonly electronicAddress?: {
                /** @description Electronic address (BT-34) */
                readonly id: string;
                /** @description Scheme of the identifier, from ISO/IEC 6523 (BT-34-1) */
                readonly scheme?: string;
            };
            /** @description Postal address (BG-5) */
            readonly address: {
                /** @description First line (BT-35) */
                readonly line1?: string;
                /** @description Second line (BT-36) */
                readonly line2?: string;
                /** @description Third line (BT-162) */
                readonly line3?: string;
                /** @description City (BT-37) */
                readonly city?: string;
                /** @description Post code (BT-38) */
                readonly postCode?: string;
                /** @description Subdivision of the country (BT-39) */
                readonly region?: string;
                /** @description Country, by its two letters of ISO 3166-1 (BT-40) */
                readonly country: string;
            };
            /** @description Contact (BG-6) */
            readonly contact?: {
                /** @description Person or department (BT-41) */
                readonly name?: string;
                /** @description Telephone (BT-42) */
                readonly phone?: string;
                /** @description E-mail address (BT-43) */
                readonly email?: string;
            };
        };
        /** @description Buyer (BG-7) */
        readonly InvoiceBuyer: {
            /** @description Full name (BT-44) */
            readonly name: string;
            /** @description Name by which the buyer is known (BT-45) */
            readonly tradingName?: string;
            /** @description Identifier of the buyer (BT-46) */
            readonly identifier?: {
                /** @description Identifier of the buyer (BT-46) */
                readonly id: string;
                /** @description Scheme of the identifier, from ISO/IEC 6523 (BT-46-1) */
                readonly scheme?: string;
            };
            /** @description Number in a register of companies (BT-47) */
            readonly legalId?: {
                /** @description Number in a register of companies (BT-47) */
                readonly id: string;
                /** @description Scheme of the identifier, from ISO/IEC 6523 (BT-47-1) */
                readonly scheme?: string;
            };
            /** @description VAT identifier, with the letters of its country (BT-48) */
            readonly vatId?: string;
            /** @description Electronic address (BT-49) */
            readonly electronicAddress?: {
                /** @description Electronic address (BT-49) */
                readonly id: string;
                /** @description Scheme of the identifier, from ISO/IEC 6523 (BT-49-1) */
                readonly scheme?: string;
            };
            /** @description Postal address (BG-8) */
            readonly address: {
                /** @description First line (BT-50) */
                readonly line1?: string;
                /** @description Second line (BT-51) */
                readonly line2?: string;
                /** @description Third line (BT-163) */
                readonly line3?: string;
                /** @description City (BT-52) */
                readonly city?: string;
                /** @description Post code (BT-53) */
                readonly postCode?: string;
                /** @description Subdivision of the country (BT-54) */
                readonly region?: string;
                /** @description Country, by its two letters of ISO 3166-1 (BT-55) */
                readonly country: string;
            };
            /** @description Contact (BG-9) */
            readonly contact?: {
                /** @description Person or department (BT-56) */
                readonly name?: string;
                /** @description Telephone (BT-57) */
                readonly phone?: string;
                /** @description E-mail address (BT-58) */
                readonly email?: string;
            };
        };
        /** @description Payee, if it is not the seller (BG-10) */
        readonly InvoicePayee: {
            /** @description Name (BT-59) */
            readonly name: string;
            /** @description Identifier of the payee (BT-60) */
            readonly identifier?: {
                /** @description Identifier of the payee (BT-60) */
                readonly id: string;
                /** @description Scheme of the identifier, from ISO/IEC 6523 (BT-60-1) */
                readonly scheme?: string;
            };
            /** @description Number in a register of companies (BT-61) */
            readonly legalId?: {
                /** @description Number in a register of companies (BT-61) */
                readonly id: string;
                /** @description Scheme of the identifier, from ISO/IEC 6523 (BT-61-1) */
                readonly scheme?: string;
            };
        };
        /** @description Tax representative of the seller (BG-11) */
        readonly InvoiceTaxRepresentative: {
            /** @description Name (BT-62) */
            readonly name: string;
            /** @description VAT identifier (BT-63) */
            readonly vatId: string;
            /** @description Postal address (BG-12) */
            readonly address: {
                /** @description First line (BT-64) */
                readonly line1?: string;
                /** @description Second line (BT-65) */
                readonly line2?: string;
                /** @description Third line (BT-164) */
                readonly line3?: string;
                /** @description City (BT-66) */
                readonly city?: string;
                /** @description Post code (BT-67) */
                readonly postCode?: string;
                /** @description Subdivision of the country (BT-68) */
                readonly region?: string;
                /** @description Country, by its two letters of ISO 3166-1 (BT-69) */
                readonly country: string;
            };
        };
        /** @description Delivery (BG-13) */
        readonly InvoiceDelivery: {
            /** @description Name of who receives the goods (BT-70) */
            readonly name?: string;
            /** @description Identifier of the place (BT-71) */
            readonly location?: {
                /** @description Identifier of the place (BT-71) */
                readonly id: string;
                /** @description Scheme of the identifier, from ISO/IEC 6523 (BT-71-1) */
                readonly scheme?: string;
            };
            /** @description Postal address (BG-15) */
            readonly address?: {
                /** @description First line (BT-75) */
                readonly line1?: string;
                /** @description Second line (BT-76) */
                readonly line2?: string;
                /** @description Third line (BT-165) */
                readonly line3?: string;
                /** @description City (BT-77) */
                readonly city?: string;
                /** @description Post code (BT-78) */
                readonly postCode?: string;
                /** @description Subdivision of the country (BT-79) */
                readonly region?: string;
                /** @description Country, by its two letters of ISO 3166-1 (BT-80) */
                readonly country: string;
            };
            /**
             * Format: date
             * @description Date of delivery (BT-72)
             */
            readonly date?: string;
        };
        /** @description Payment (BG-16) */
        readonly InvoicePayment: {
            /** @description Means of payment, by its code of UNTDID 4461, such as 58 for a SEPA transfer (BT-81) */
            readonly code: string;
            /** @description Means of payment in words (BT-82) */
            readonly text?: string;
            /** @description Reference that the payment carries (BT-83) */
            readonly reference?: string;
            /** @description Credit transfer (BG-17) */
            readonly transfers?: readonly {
                /** @description IBAN, or another number of an account (BT-84) */
                readonly account: string;
                /** @description Name of the account (BT-85) */
                readonly name?: string;
                /** @description BIC, or another identifier of the bank (BT-86) */
                readonly bank?: string;
            }[];
            /** @description Payment card (BG-18) */
            readonly card?: {
                /** @description Last four to six digits of the card (BT-87) */
                readonly number: string;
                /** @description Holder of the card (BT-88) */
                readonly holder?: string;
            };
            /** @description Direct debit (BG-19) */
            readonly directDebit?: {
                /** @description Reference of the mandate (BT-89) */
                readonly mandate?: string;
                /** @description Bank's identifier of the creditor (BT-90) */
                readonly creditor?: string;
                /** @description IBAN, or another number of the account that is debited (BT-91) */
                readonly account?: string;
            };
        };
        /** @description Allowance of the document (BG-20) */
        readonly InvoiceAllowance: {
            /** @description Amount without VAT; computed from base and percent if it is not given (BT-92) */
            readonly amount?: number | string;
            /** @description Amount to which the percentage applies (BT-93) */
            readonly base?: number | string;
            /** @description Percentage of the base (BT-94) */
            readonly percent?: number | string;
            /** @description Reason (BT-97) */
            readonly reason?: string;
            /** @description Reason, by its code of UNTDID 5189 (BT-98) */
            readonly reasonCode?: string;
            /** @description VAT category of UNTDID 5305 (BT-95): S standard rate, Z zero rate, E exempt, AE reverse charge, K intra-community supply, G export, O not subject to VAT, L Canary Islands, M Ceuta and Melilla */
            readonly vat: {
                /**
                 * @description VAT category of UNTDID 5305 (BT-95): S standard rate, Z zero rate, E exempt, AE reverse charge, K intra-community supply, G export, O not subject to VAT, L Canary Islands, M Ceuta and Melilla
                 * @enum {string}
                 */
                readonly category: "S" | "Z" | "E" | "AE" | "K" | "G" | "O" | "L" | "M";
                /** @description Rate in percent; 0 if the category has none (BT-96) */
                readonly rate?: number | string;
            };
        };
        /** @description Charge of the document (BG-21) */
        readonly InvoiceCharge: {
            /** @description Amount without VAT; computed from base and percent if it is not given (BT-99) */
            readonly amount?: number | string;
            /** @description Amount to which the percentage applies (BT-100) */
            readonly base?: number | string;
            /** @description Percentage of the base (BT-101) */
            readonly percent?: number | string;
            /** @description Reason (BT-104) */
            readonly reason?: string;
            /** @description Reason, by its code of UNTDID 7161 (BT-105) */
            readonly reasonCode?: string;
            /** @description VAT category of UNTDID 5305 (BT-102): S standard rate, Z zero rate, E exempt, AE reverse charge, K intra-community supply, G export, O not subject to VAT, L Canary Islands, M Ceuta and Melilla */
            readonly vat: {
                /**
                 * @description VAT category of UNTDID 5305 (BT-102): S standard rate, Z zero rate, E exempt, AE reverse charge, K intra-community supply, G export, O not subject to VAT, L Canary Islands, M Ceuta and Melilla
                 * @enum {string}
                 */
                readonly category: "S" | "Z" | "E" | "AE" | "K" | "G" | "O" | "L" | "M";
                /** @description Rate in percent; 0 if the category has none (BT-103) */
                readonly rate?: number | string;
            };
        };
        /** @description Totals (BG-22). Those that follow from the lines are computed if they are not given */
        readonly InvoiceTotals: {
            /** @description Sum of the lines (BT-106) */
            readonly lines?: number | string;
            /** @description Sum of the allowances of the document (BT-107) */
            readonly allowances?: number | string;
            /** @description Sum of the charges of the document (BT-108) */
            readonly charges?: number | string;
            /** @description Total without VAT (BT-109) */
            readonly withoutVat?: number | string;
            /** @description Total VAT (BT-110) */
            readonly vat?: number | string;
            /** @description Total VAT in the currency of the VAT (BT-111) */
            readonly vatInVatCurrency?: number | string;
            /** @description Total with VAT (BT-112) */
            readonly withVat?: number | string;
            /** @description Amount already paid (BT-113) */
            readonly paid?: number | string;
            /** @description Amount by which the payable amount is rounded (BT-114) */
            readonly rounding?: number | string;
            /** @description Amount due for payment (BT-115) */
            readonly payable?: number | string;
        };
        /** @description VAT category of UNTDID 5305 (BT-118): S standard rate, Z zero rate, E exempt, AE reverse charge, K intra-community supply, G export, O not subject to VAT, L Canary Islands, M Ceuta and Melilla */
        readonly InvoiceVatCategory: {
            /**
             * @description VAT category of UNTDID 5305 (BT-118): S standard rate, Z zero rate, E exempt, AE reverse charge, K intra-community supply, G export, O not subject to VAT, L Canary Islands, M Ceuta and Melilla
             * @enum {string}
             */
            readonly category: "S" | "Z" | "E" | "AE" | "K" | "G" | "O" | "L" | "M";
            /** @description Rate in percent; 0 if the category has none (BT-119) */
            readonly rate?: number | string;
            /** @description Taxable amount; computed if it is not given (BT-116) */
            readonly taxable?: number | string;
            /** @description VAT of the category; computed if it is not given (BT-117) */
            readonly tax?: number | string;
            /** @description Reason of an exemption (BT-120) */
            readonly exemptionReason?: string;
            /** @description Reason of an exemption, by its VATEX code (BT-121) */
            readonly exemptionCode?: string;
        };
        /** @description Supporting document (BG-24) */
        readonly InvoiceDocument: {
            /** @description Identifier of the document (BT-122) */
            readonly id: string;
            /** @description Description (BT-123) */
            readonly description?: string;
            /** @description Address at which it can be read (BT-124) */
            readonly url?: string;
            /** @description Name of the file (BT-125-2) */
            readonly content?: {
                /** @description Name of the file (BT-125-2) */
                readonly filename: string;
                /** @description Media type, such as application/pdf (BT-125-1) */
                readonly mediaType: string;
                /**
                 * Format: base64
                 * @description The file in Base64 (BT-125)
                 */
                readonly base64: string;
            };
        };
        /** @description Price (BG-29) */
        readonly InvoicePrice: {
            /** @description Price of the base quantity, without VAT, after the discount (BT-146) */
            readonly net: number | string;
            /** @description Discount on the gross price (BT-147) */
            readonly discount?: number | string;
            /** @description Price before the discount (BT-148) */
            readonly gross?: number | string;
            /** @description Quantity to which the price applies; 1 if it is not given (BT-149) */
            readonly baseQuantity?: number | string;
        };
        /** @description Item (BG-31) */
        readonly InvoiceItem: {
            /** @description Name (BT-153) */
            readonly name: string;
            /** @description Description (BT-154) */
            readonly description?: string;
            /** @description Seller's number of the item (BT-155) */
            readonly sellerId?: string;
            /** @description Buyer's number of the item (BT-156) */
            readonly buyerId?: string;
            /** @description Registered number, such as a GTIN with the scheme 0160 (BT-157) */
            readonly standardId?: {
                /** @description Registered number, such as a GTIN with the scheme 0160 (BT-157) */
                readonly id: string;
                /** @description Scheme of the identifier, from ISO/IEC 6523 (BT-157-1) */
                readonly scheme?: string;
            };
            /** @description Code of the class (BT-158) */
            readonly classifications?: readonly {
                /** @description Code of the class (BT-158) */
                readonly code: string;
                /** @description Classification, by its code of UNTDID 7143 (BT-158-1) */
                readonly list: string;
                /** @description Version of the classification (BT-158-2) */
                readonly version?: string;
            }[];
            /** @description Country of origin, by its two letters of ISO 3166-1 (BT-159) */
            readonly originCountry?: string;
            /** @description Attribute (BG-32) */
            readonly attributes?: readonly {
                /** @description Name of the attribute (BT-160) */
                readonly name: string;
                /** @description Its value (BT-161) */
                readonly value: string;
            }[];
        };
        /** @description Line (BG-25) */
        readonly InvoiceLine: {
            /** @description Identifier of the line; its position if it is not given (BT-126) */
            readonly id?: string;
            /** @description Note (BT-127) */
            readonly note?: string;
            /** @description Identifier of what is invoiced, such as a meter (BT-128) */
            readonly object?: {
                /** @description Identifier of what is invoiced, such as a meter (BT-128) */
                readonly id: string;
                /** @description Scheme of the identifier, from ISO/IEC 6523 (BT-128-1) */
                readonly scheme?: string;
            };
            /** @description Quantity (BT-129) */
            readonly quantity: number | string;
            /** @description Unit, by its code of UN/ECE Recommendation 20 or 21, such as C62 for pieces, HUR for hours (BT-130) */
            readonly unit: string;
            /** @description Amount of the line without VAT; computed if it is not given (BT-131) */
            readonly netAmount?: number | string;
            /** @description Line of the buyer's order (BT-132) */
            readonly orderLine?: string;
            /** @description Buyer's account (BT-133) */
            readonly accountingReference?: string;
            /** @description Period of the invoice (BG-26) */
            readonly period?: {
                /**
                 * Format: date
                 * @description First day (BT-134)
                 */
                readonly start?: string;
                /**
                 * Format: date
                 * @description Last day (BT-135)
                 */
                readonly end?: string;
            };
            /** @description Allowance of the line (BG-27) */
            readonly allowances?: readonly {
                /** @description Amount without VAT; computed from base and percent if it is not given (BT-136) */
                readonly amount?: number | string;
                /** @description Amount to which the percentage applies (BT-137) */
                readonly base?: number | string;
                /** @description Percentage of the base (BT-138) */
                readonly percent?: number | string;
                /** @description Reason (BT-139) */
                readonly reason?: string;
                /** @description Reason, by its code of UNTDID 5189 (BT-140) */
                readonly reasonCode?: string;
            }[];
            /** @description Charge of the line (BG-28) */
            readonly charges?: readonly {
                /** @description Amount without VAT; computed from base and percent if it is not given (BT-141) */
                readonly amount?: number | string;
                /** @description Amount to which the percentage applies (BT-142) */
                readonly base?: number | string;
                /** @description Percentage of the base (BT-143) */
                readonly percent?: number | string;
                /** @description Reason (BT-144) */
                readonly reason?: string;
                /** @description Reason, by its code of UNTDID 7161 (BT-145) */
                readonly reasonCode?: string;
            }[];
            readonly price: components["schemas"]["InvoicePrice"];
            /** @description VAT of the line (BG-30) */
            readonly vat: {
                /**
                 * @description VAT category of UNTDID 5305 (BT-151): S standard rate, Z zero rate, E exempt, AE reverse charge, K intra-community supply, G export, O not subject to VAT, L Canary Islands, M Ceuta and Melilla
                 * @enum {string}
                 */
                readonly category: "S" | "Z" | "E" | "AE" | "K" | "G" | "O" | "L" | "M";
                /** @description Rate in percent; 0 if the category has none (BT-152) */
                readonly rate?: number | string;
            };
            readonly item: components["schemas"]["InvoiceItem"];
        };
        readonly DocumentSucceededEvent: {
            /**
             * @description The kind of the event.
             * @enum {string}
             */
            readonly type: "document.succeeded";
            /**
             * Format: date-time
             * @description When it happened.
             */
            readonly timestamp: string;
            readonly data: components["schemas"]["DocumentSucceededData"];
        };
        readonly DocumentSucceededData: {
            /** @description Id of the document and its job. */
            readonly id: string;
            readonly status: components["schemas"]["JobStatus"];
            /** @description Id of the template. */
            readonly templateId: string;
            /** @description Version of the template. */
            readonly templateVersion?: number;
            readonly format: components["schemas"]["DocumentFormat"];
            /**
             * @description Whether a test key requested it.
             * @enum {boolean}
             */
            readonly test?: true;
            /**
             * Format: date-time
             * @description When the request was accepted.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the document ended.
             */
            readonly finishedAt: string;
            /** @description Size of the file in bytes. */
            readonly size: number;
            /** @description Pages of a PDF. */
            readonly pages?: number;
            /**
             * Format: date-time
             * @description Until when the job has the file. Absent when it has none.
             */
            readonly expiresAt?: string;
        };
        /** @enum {string} */
        readonly JobStatus: "queued" | "running" | "succeeded" | "failed" | "cancelled";
        /** @enum {string} */
        readonly DocumentFormat: "docx" | "pdf" | "xml";
        readonly DocumentFailedEvent: {
            /**
             * @description The kind of the event.
             * @enum {string}
             */
            readonly type: "document.failed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            readonly timestamp: string;
            readonly data: components["schemas"]["DocumentFailedData"];
        };
        readonly DocumentFailedData: {
            /** @description Id of the document and its job. */
            readonly id: string;
            readonly status: components["schemas"]["JobStatus"];
            /** @description Id of the template. */
            readonly templateId: string;
            /** @description Version of the template. */
            readonly templateVersion?: number;
            readonly format: components["schemas"]["DocumentFormat"];
            /**
             * @description Whether a test key requested it.
             * @enum {boolean}
             */
            readonly test?: true;
            /**
             * Format: date-time
             * @description When the request was accepted.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the document ended.
             */
            readonly finishedAt: string;
            readonly error: components["schemas"]["ErrorBody"];
        };
        readonly ErrorBody: {
            /**
             * @description HTTP status code of the error.
             * @example 400
             */
            readonly status: number;
            /**
             * @description What is wrong.
             * @example output.format: must be docx, pdf or xml
             */
            readonly message: string;
            /** @description One entry for each invalid field or tag. */
            readonly details?: readonly components["schemas"]["ErrorDetail"][];
        };
        readonly ErrorDetail: {
            /**
             * @description `Field` for a field of the request, `Rule` for a rule that an invoice breaks, `Difference` for a value of an invoice that its pages do not show, `Message` for anything else.
             * @enum {string}
             */
            readonly type: "Message" | "Field" | "Rule" | "Difference";
            /** @description What is wrong. */
            readonly message: string;
            /** @description The invalid request field (`Field` entries). */
            readonly path?: string;
            /** @description The invalid template tag (`Message` entries). */
            readonly tag?: string;
            /** @description The part of the document: body, header 1, footnotes … */
            readonly part?: string;
            /** @description The text around the tag or the first place. */
            readonly context?: string;
            /** @description The affected name in the data, such as `items[].price`. */
            readonly name?: string;
            /** @description What to do about it. */
            readonly hint?: string;
            /** @description The document of the error, as a job: `/v1/jobs/{id}`. */
            readonly jobId?: string;
            /** @description Position in the request body, in bytes from 0. */
            readonly offset?: number;
            /**
             * @description The rule that the invoice breaks (`Rule` entries); `invoice-model` if a term has no value, or one that is not valid.
             * @example BR-CO-15
             */
            readonly rule?: string;
            /**
             * @description The terms that the rule or the difference is about.
             * @example [
             *       "BT-112"
             *     ]
             */
            readonly businessTerms?: readonly string[];
            /** @description XPath of the element that was checked, or the path in the JSON of the invoice. */
            readonly location?: string;
            /**
             * @description The expressions that the invoice mapping has for these terms.
             * @example {
             *       "BT-112": "total"
             *     }
             */
            readonly expressions?: {
                readonly [key: string]: string;
            };
            /** @description The line of the invoice, from 1. */
            readonly invoiceLine?: number;
            /**
             * @description The value of the invoice.
             * @example 119.00
             */
            readonly expected?: string;
            /**
             * @description What the page shows in its place; absent if nothing was recognized.
             * @example 120,00
             */
            readonly found?: string;
            /** @description The page, from 1, without pages that the request adds before. */
            readonly page?: number;
            /** @description The place, in points (1/72 inch) from the upper left corner of the page. */
            readonly box?: {
                readonly x: number;
                readonly y: number;
                readonly width: number;
                readonly height: number;
            };
            /**
             * @description The font that the text asks for.
             * @example Calibri
             */
            readonly font?: string;
            /** @description The characters that no installed font has, at most 50. */
            readonly characters?: readonly components["schemas"]["MissingCharacter"][];
            /** @description The affected values of the data, at most 50. */
            readonly paths?: readonly string[];
            /** @description How many places are affected in all. */
            readonly count?: number;
        } & {
            readonly [key: string]: unknown;
        };
        readonly MissingCharacter: {
            /**
             * @description The character itself.
             * @example 中
             */
            readonly character: string;
            /**
             * @description Its number in Unicode.
             * @example U+4E2D
             */
            readonly codePoint: string;
        };
        readonly BatchCompletedEvent: {
            /**
             * @description The kind of the event.
             * @enum {string}
             */
            readonly type: "batch.completed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            readonly timestamp: string;
            readonly data: components["schemas"]["BatchCompletedData"];
        };
        readonly BatchCompletedData: {
            /** @description Id of the batch. */
            readonly id: string;
            readonly status: components["schemas"]["BatchStatus"];
            /** @description Id of the template. */
            readonly templateId: string;
            /** @description Version of the template. */
            readonly templateVersion: number;
            readonly format: components["schemas"]["DocumentFormat"];
            /**
             * @description How the files can be downloaded.
             * @enum {string}
             */
            readonly bundle: "zip" | "pdf" | "none";
            /** @description Number of rows. */
            readonly rows: number;
            /** @description Number of rows by the status of their documents. */
            readonly counts: {
                readonly succeeded: number;
                readonly failed: number;
                readonly cancelled: number;
            };
            /** @description Why the batch failed. */
            readonly error?: string;
            /**
             * Format: date-time
             * @description When the batch was accepted.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            readonly finishedAt: string;
            /**
             * Format: date-time
             * @description Until when its files can be downloaded.
             */
            readonly expiresAt?: string;
        };
        /** @enum {string} */
        readonly BatchStatus: "accepted" | "running" | "completed" | "cancelled" | "failed";
        readonly EmailFailedEvent: {
            /**
             * @description The kind of the event.
             * @enum {string}
             */
            readonly type: "email.failed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            readonly timestamp: string;
            readonly data: components["schemas"]["EmailFailedData"];
        };
        readonly EmailFailedData: {
            /** @description Id of the e-mail delivery. */
            readonly id: string;
            /** @description Id of the document. */
            readonly documentId: string;
            /**
             * @description Whether some recipients have it.
             * @enum {string}
             */
            readonly status: "partial" | "failed" | "unknown";
            /** @description Number of attempts. */
            readonly attempts: number;
            /** @description Number of recipients by outcome. */
            readonly recipients: {
                readonly sent: number;
                readonly failed: number;
                readonly unknown: number;
            };
            /** @description The last reply of the mail server. */
            readonly reply?: string;
            /**
             * Format: date-time
             * @description When the delivery was created.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            readonly finishedAt: string;
        };
        readonly QuotaWarningEvent: {
            /**
             * @description The kind of the event.
             * @enum {string}
             */
            readonly type: "quota.warning";
            /**
             * Format: date-time
             * @description When it happened.
             */
            readonly timestamp: string;
            readonly data: components["schemas"]["QuotaWarningData"];
        };
        readonly QuotaWarningData: {
            /** @description Percent of the subscription: 80 or 100. */
            readonly threshold: number;
            /** @description Documents of the month. */
            readonly allocated: number;
            /** @description Documents used. */
            readonly used: number;
            /**
             * Format: date-time
             * @description Start of the month.
             */
            readonly periodStart: string;
            /**
             * Format: date-time
             * @description End of the month: the start of the next one.
             */
            readonly periodEnd: string;
        };
        readonly TemplateSubmittedEvent: {
            /**
             * @description The kind of the event.
             * @enum {string}
             */
            readonly type: "template.submitted";
            /**
             * Format: date-time
             * @description When it happened.
             */
            readonly timestamp: string;
            readonly data: components["schemas"]["TemplateSubmittedData"];
        };
        readonly TemplateSubmittedData: {
            /** @description Id of the template. */
            readonly templateId: string;
            /** @description Name of the template. */
            readonly templateName: string;
            /** @description The version. */
            readonly version: number;
            /** @description Id of the API key of the request. */
            readonly keyId: string;
            /** @description Its name. */
            readonly keyName?: string;
        };
        readonly TemplateApprovedEvent: {
            /**
             * @description The kind of the event.
             * @enum {string}
             */
            readonly type: "template.approved";
            /**
             * Format: date-time
             * @description When it happened.
             */
            readonly timestamp: string;
            readonly data: components["schemas"]["TemplateApprovedData"];
        };
        readonly TemplateApprovedData: {
            /** @description Id of the template. */
            readonly templateId: string;
            /** @description Name of the template. */
            readonly templateName: string;
            /** @description The version. */
            readonly version: number;
            /** @description Id of the API key of the request. */
            readonly keyId: string;
            /** @description Its name. */
            readonly keyName?: string;
        };
        readonly TemplateRefusedEvent: {
            /**
             * @description The kind of the event.
             * @enum {string}
             */
            readonly type: "template.refused";
            /**
             * Format: date-time
             * @description When it happened.
             */
            readonly timestamp: string;
            readonly data: components["schemas"]["TemplateRefusedData"];
        };
        readonly TemplateRefusedData: {
            /** @description Id of the template. */
            readonly templateId: string;
            /** @description Name of the template. */
            readonly templateName: string;
            /** @description The version. */
            readonly version: number;
            /** @description Id of the API key of the request. */
            readonly keyId: string;
            /** @description Its name. */
            readonly keyName?: string;
        };
        readonly TemplateOverriddenEvent: {
            /**
             * @description The kind of the event.
             * @enum {string}
             */
            readonly type: "template.overridden";
            /**
             * Format: date-time
             * @description When it happened.
             */
            readonly timestamp: string;
            readonly data: components["schemas"]["TemplateOverriddenData"];
        };
        readonly TemplateOverriddenData: {
            /** @description Id of the template. */
            readonly templateId: string;
            /** @description Name of the template. */
            readonly templateName: string;
            /** @description The version. */
            readonly version: number;
            /** @description Id of the API key of the request. */
            readonly keyId: string;
            /** @description Its name. */
            readonly keyName?: string;
            /** @description Why it was made live without approval. */
            readonly reason: string;
        };
        readonly WebhookTestEvent: {
            /**
             * @description The kind of the event.
             * @enum {string}
             */
            readonly type: "webhook.test";
            /**
             * Format: date-time
             * @description When it happened.
             */
            readonly timestamp: string;
            readonly data: components["schemas"]["WebhookTestData"];
        };
        readonly WebhookTestData: {
            /** @description Id of the webhook. */
            readonly webhookId: string;
            /** @description A sentence. */
            readonly message: string;
        };
        readonly UploadedTemplate: {
            /**
             * @description Id of the template.
             * @example tpl_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly id: string;
            /**
             * @description Name of the template file.
             * @example invoice.docx
             */
            readonly name: string;
            /**
             * @description Incremented by each re-upload.
             * @example 1
             */
            readonly version: number;
            /**
             * @description Size of the file in bytes.
             * @example 18204
             */
            readonly size: number;
            /** @description SHA-256 of the file, hex. */
            readonly checksum: string;
            /**
             * @description Names of the tags, sorted.
             * @example [
             *       "customer.name",
             *       "items"
             *     ]
             */
            readonly tags: readonly string[];
            readonly reviewState?: components["schemas"]["ReviewState"];
            /** @description The newest upload, if it waits for approval: previews and test keys use it. Absent otherwise. */
            readonly draftVersion?: number;
            /**
             * Format: date-time
             * @description When the template was uploaded.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            readonly updatedAt: string;
            /** @description Fonts the template uses. */
            readonly fonts: readonly components["schemas"]["FontReport"][];
            /** @description Accessibility problems of documents made from this template; relevant only to PDFs with `accessible`. */
            readonly accessibility: readonly components["schemas"]["AccessibilityNote"][];
            /**
             * @description The delimiters of the tags, separated by a space.
             * @example { }
             */
            readonly delimiters: string;
            /**
             * @description Whether GUIDs, code and sentences between delimiters print as `text`, or are tags to `fill`.
             * @enum {string}
             */
            readonly unlikelyTags: "text" | "fill";
            /** @description What will look or behave differently than in Word. */
            readonly warnings: readonly components["schemas"]["TemplateWarning"][];
        };
        /**
         * @description `draft`: not yet submitted. `review`: waits for approval. `approved`: live keys may use it. `refused`: never live. Absent for a version that needs no approval.
         * @enum {string}
         */
        readonly ReviewState: "draft" | "review" | "approved" | "refused";
        readonly FontReport: {
            /**
             * @description Name of the font.
             * @example Calibri
             */
            readonly name: string;
            /**
             * @description How the font appears in a PDF: `available`; `substituted` by a font of the same widths; `missing`, so that another font may move lines; `unknown` while no worker reports its fonts.
             * @enum {string}
             */
            readonly status: "available" | "substituted" | "missing" | "unknown";
            /**
             * @description The font that replaces it.
             * @example Carlito
             */
            readonly substitute?: string;
        };
        /** @description Something that keeps documents from being accessible. */
        readonly AccessibilityNote: {
            /**
             * @description Kind of the finding.
             * @example alternative_text_missing
             */
            readonly code: string;
            /** @description What is wrong, what to do, and where it was found first. */
            readonly message: string;
            /** @description How often it was found. */
            readonly count: number;
        };
        readonly TemplateWarning: {
            /**
             * @description Kind of the warning.
             * @example font_missing
             */
            readonly code: string;
            /** @description What will differ. */
            readonly message: string;
            /** @description The part of the document: body, header 1, footnotes … */
            readonly part?: string;
            /** @description The affected values of the data. */
            readonly paths?: readonly string[];
            /** @description How many values are affected in all. */
            readonly count?: number;
        };
        readonly Error: {
            readonly error: components["schemas"]["ErrorBody"];
        };
        readonly TemplateUpload: {
            /**
             * @description Name of the template file. Ends with `.docx`.
             * @example invoice.docx
             */
            readonly name: string;
            /**
             * @description The delimiters of the tags, separated by a space. They are stored with the version and kept by a re-upload that gives none. Default: `{ }`.
             * @example {{ }}
             */
            readonly delimiters?: string;
            /**
             * @description What becomes of GUIDs, numbers, sets, code and sentences between delimiters. `text`: they print as they are, and a warning names them. `fill`: they are tags. Kept by a re-upload that does not give it. Default: text.
             * @enum {string}
             */
            readonly unlikelyTags?: "text" | "fill";
            /**
             * Format: binary
             * @description The Word template, at most 10 MB.
             */
            readonly file: string;
            /**
             * @description JSON Schema (2020-12) for what the tags do not show about `data`; a field or a file, at most 64 KB. It is merged over the schema of the tags and stored with the version. A re-upload without it keeps it; `{}` removes it. Of the keywords, `type`, `properties`, `required`, `additionalProperties` (a schema), `items`, `anyOf`, `enum`, `format`, `contentEncoding`, `contentMediaType`, `title`, `description` and `examples` are allowed.
             * @example {"properties":{"paid":{"type":"boolean"}}}
             */
            readonly schema?: string;
            /**
             * @description JSON with an expression for each business term of the electronic invoice (`BT-1`, `BG-25` …); a field or a file, at most 64 KB. It is checked and stored with the version. A re-upload without it keeps it; `{}` removes it.
             * @example {}
             */
            readonly invoiceMap?: string;
        };
        readonly ValidTemplate: {
            /**
             * @description Always true: a broken template gets 400.
             * @enum {boolean}
             */
            readonly valid: true;
            /**
             * @description Names of the tags, sorted.
             * @example [
             *       "customer.name",
             *       "items"
             *     ]
             */
            readonly tags: readonly string[];
            /** @description Fonts the template uses. */
            readonly fonts: readonly components["schemas"]["FontReport"][];
            /** @description Accessibility problems of documents made from this template; relevant only to PDFs with `accessible`. */
            readonly accessibility: readonly components["schemas"]["AccessibilityNote"][];
            /** @description What will look or behave differently than in Word. */
            readonly warnings: readonly components["schemas"]["TemplateWarning"][];
            /** @description JSON Schema (2020-12) of `data`. */
            readonly schema: {
                readonly [key: string]: unknown;
            };
            /** @description Data that fits the schema and fills the template. */
            readonly example?: unknown;
        };
        readonly TemplateValidation: {
            /**
             * @description Name of the template file. Ends with `.docx`.
             * @example invoice.docx
             */
            readonly name?: string;
            /**
             * @description The delimiters of the tags, separated by a space. They are stored with the version and kept by a re-upload that gives none. Default: `{ }`.
             * @example {{ }}
             */
            readonly delimiters?: string;
            /**
             * @description What becomes of GUIDs, numbers, sets, code and sentences between delimiters. `text`: they print as they are, and a warning names them. `fill`: they are tags. Kept by a re-upload that does not give it. Default: text.
             * @enum {string}
             */
            readonly unlikelyTags?: "text" | "fill";
            /**
             * Format: binary
             * @description The Word template, at most 10 MB.
             */
            readonly file: string;
            /**
             * @description JSON Schema (2020-12) for what the tags do not show about `data`; a field or a file, at most 64 KB. It is merged over the schema of the tags and stored with the version. A re-upload without it keeps it; `{}` removes it. Of the keywords, `type`, `properties`, `required`, `additionalProperties` (a schema), `items`, `anyOf`, `enum`, `format`, `contentEncoding`, `contentMediaType`, `title`, `description` and `examples` are allowed.
             * @example {"properties":{"paid":{"type":"boolean"}}}
             */
            readonly schema?: string;
            /**
             * @description JSON with an expression for each business term of the electronic invoice (`BT-1`, `BG-25` …); a field or a file, at most 64 KB. It is checked and stored with the version. A re-upload without it keeps it; `{}` removes it.
             * @example {}
             */
            readonly invoiceMap?: string;
            /** @description JSON object to fill the template with, like `data` of generate; a field or a file, at most 10 MB. */
            readonly sampleData?: string;
        };
        readonly TemplateList: readonly components["schemas"]["TemplateMetadata"][];
        readonly TemplateMetadata: {
            /**
             * @description Id of the template.
             * @example tpl_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly id: string;
            /**
             * @description Name of the template file.
             * @example invoice.docx
             */
            readonly name: string;
            /**
             * @description Incremented by each re-upload.
             * @example 1
             */
            readonly version: number;
            /**
             * @description Size of the file in bytes.
             * @example 18204
             */
            readonly size: number;
            /** @description SHA-256 of the file, hex. */
            readonly checksum: string;
            /**
             * @description Names of the tags, sorted.
             * @example [
             *       "customer.name",
             *       "items"
             *     ]
             */
            readonly tags: readonly string[];
            readonly reviewState?: components["schemas"]["ReviewState"];
            /** @description The newest upload, if it waits for approval: previews and test keys use it. Absent otherwise. */
            readonly draftVersion?: number;
            /**
             * Format: date-time
             * @description When the template was uploaded.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            readonly updatedAt: string;
        };
        readonly TemplateStatisticsList: readonly components["schemas"]["TemplateStatistics"][];
        readonly TemplateStatistics: {
            /** @description Id of the template. */
            readonly templateId: string;
            /**
             * Format: date-time
             * @description When its newest document was requested, however long ago; absent when it has none.
             */
            readonly lastDocumentAt?: string;
            /** @description Documents that succeeded or failed: the newest 500 of the period. */
            readonly documents: number;
            /** @description Those of them that failed. */
            readonly failures: number;
            /** @description Those of them that succeeded with warnings. */
            readonly withWarnings: number;
            /** @description 95 % of those that succeeded took no longer from the request to the end. */
            readonly p95TotalMs?: number;
            /** @description The same without waiting: only filling the template and converting. */
            readonly p95ProductionMs?: number;
            /** @description Whether the sample covers the whole period; false if it reached the limit of 500 documents. */
            readonly complete: boolean;
        };
        readonly TemplateDetail: {
            /**
             * @description Id of the template.
             * @example tpl_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly id: string;
            /**
             * @description Name of the template file.
             * @example invoice.docx
             */
            readonly name: string;
            /**
             * @description Incremented by each re-upload.
             * @example 1
             */
            readonly version: number;
            /**
             * @description Size of the file in bytes.
             * @example 18204
             */
            readonly size: number;
            /** @description SHA-256 of the file, hex. */
            readonly checksum: string;
            /**
             * @description Names of the tags, sorted.
             * @example [
             *       "customer.name",
             *       "items"
             *     ]
             */
            readonly tags: readonly string[];
            readonly reviewState?: components["schemas"]["ReviewState"];
            /** @description The newest upload, if it waits for approval: previews and test keys use it. Absent otherwise. */
            readonly draftVersion?: number;
            /**
             * Format: date-time
             * @description When the template was uploaded.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            readonly updatedAt: string;
            /** @description Fonts the template uses. */
            readonly fonts: readonly components["schemas"]["FontReport"][];
            /** @description Accessibility problems of documents made from this template; relevant only to PDFs with `accessible`. */
            readonly accessibility: readonly components["schemas"]["AccessibilityNote"][];
            /**
             * @description The delimiters of the tags, separated by a space.
             * @example { }
             */
            readonly delimiters: string;
            /**
             * @description Whether GUIDs, code and sentences between delimiters print as `text`, or are tags to `fill`.
             * @enum {string}
             */
            readonly unlikelyTags: "text" | "fill";
            /**
             * @description The version of LibreOffice that lays out its PDFs, if an operator has pinned the template to one.
             * @example 25.2
             */
            readonly officeVersion?: string;
            /**
             * @deprecated
             * @description The same as `officeVersion`.
             */
            readonly engine?: string;
            /** @description The templates that its own tags include, as new documents find them. Absent for none. */
            readonly includes?: readonly components["schemas"]["TemplateInclude"][];
            /**
             * @description What lays out the pages of its PDFs: `office` is LibreOffice; `direct` is Docmill itself, because the pages of this version have been proven to be the same. `pdfEngine` of a job says what laid out one PDF.
             * @enum {string}
             */
            readonly pdfEngine: "office" | "direct";
            /**
             * @description Why it is `office`: up to 20 features of the template that direct layout does not support, the page that differed, or a note that the pages are still being compared. Empty if it is `direct`, or if nothing has requested the comparison.
             * @example [
             *       "Not laid out directly: w:smallCaps.",
             *       "Not laid out directly: a form field."
             *     ]
             */
            readonly pdfEngineReasons: readonly string[];
            /** @description Whether the pages of both engines are yet to be compared. LibreOffice is used until then. */
            readonly proving: boolean;
            readonly pdfEngineEvidence?: components["schemas"]["PdfEngineEvidence"];
        };
        /** @description A template that the tags of a template include. */
        readonly TemplateInclude: {
            /**
             * @description The name or the id by which a tag includes it.
             * @example terms
             */
            readonly name: string;
            /**
             * @description `missing`: the account has no such template. `ambiguous`: it has several of this name. Documents are refused in both cases.
             * @enum {string}
             */
            readonly status: "found" | "missing" | "ambiguous";
            /**
             * @description Id of the template.
             * @example tpl_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly templateId?: string;
            /**
             * @description Its current version.
             * @example 1
             */
            readonly version?: number;
        };
        /** @description The document with which a check in operation found a difference, after which it became `office`. */
        readonly PdfEngineEvidence: {
            /** @description The job whose document differed. */
            readonly jobId: string;
            /** @description Where its pages differ; nothing of their text. */
            readonly differences: readonly components["schemas"]["PageDifference"][];
        };
        readonly PageDifference: {
            /** @description The page, counted from 1. */
            readonly page: number;
            /**
             * @description What differs.
             * @enum {string}
             */
            readonly measure: "pages" | "outline" | "page size" | "text" | "drawing";
            /**
             * @description By how much.
             * @example 3 characters elsewhere, the first by 1.20 pt
             */
            readonly message: string;
            /** @description Where it begins: points from the left edge of the page. */
            readonly x?: number;
            /** @description Points from the upper edge. */
            readonly y?: number;
        };
        readonly TemplateSchema: {
            /** @description JSON Schema (2020-12) of `data`. */
            readonly schema: {
                readonly [key: string]: unknown;
            };
            /** @description The part of the schema that the author stated at upload; null if nothing was stated. */
            readonly stated: {
                readonly [key: string]: unknown;
            } | null;
            /** @description The invoice mapping of the version; null if there is none. */
            readonly invoiceMap: {
                readonly [key: string]: unknown;
            } | null;
            /** @description Data that fits the schema and fills the template. */
            readonly example?: unknown;
        };
        readonly TemplateChanges: {
            /**
             * @description Name of the template file. Ends with `.docx`.
             * @example invoice.docx
             */
            readonly name: string;
        };
        readonly TemplateVersionList: readonly components["schemas"]["TemplateVersion"][];
        readonly TemplateVersion: {
            /** @description Counted from 1. */
            readonly version: number;
            /** @description Size of the file in bytes. */
            readonly size: number;
            /** @description SHA-256 of the file, hex. */
            readonly checksum: string;
            /** @description Names of the tags, sorted. */
            readonly tags: readonly string[];
            /**
             * Format: date-time
             * @description When it was uploaded.
             */
            readonly createdAt: string;
            readonly reviewState?: components["schemas"]["ReviewState"];
            readonly uploadedBy?: components["schemas"]["ReviewPerson"];
            readonly approval?: components["schemas"]["Approval"];
            /** @description Whether generate uses this version by default. */
            readonly current: boolean;
        };
        /** @description A person, as the account knows it: an API key. Absent if it was not recorded. */
        readonly ReviewPerson: {
            /**
             * @description Id of the API key.
             * @example key_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly keyId: string;
            /**
             * @description Name of the key.
             * @example Ada Lovelace
             */
            readonly name?: string;
        };
        /** @description Who made the version live. Absent if nobody did yet, and for a version that needs no approval. */
        readonly Approval: {
            /**
             * @description Id of the API key.
             * @example key_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly keyId: string;
            /**
             * @description Name of the key.
             * @example Ada Lovelace
             */
            readonly name?: string;
            /**
             * Format: date-time
             * @description When the version became live.
             */
            readonly at: string;
            /** @description Why it was made live without approval. Absent for a version that was approved. */
            readonly overrideReason?: string;
        };
        readonly Review: {
            /**
             * @description Id of the template.
             * @example tpl_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly templateId: string;
            /**
             * @description Name of the template.
             * @example invoice.docx
             */
            readonly templateName: string;
            /** @description The version. */
            readonly version: number;
            readonly state?: components["schemas"]["ReviewState"];
            /** @description The version that live keys use by default. Absent if none is live yet. */
            readonly liveVersion?: number;
            readonly uploadedBy?: components["schemas"]["ReviewPerson"];
            /** @description Whether the person of this API key is the author, who must not approve it. */
            readonly uploadedByYou: boolean;
            /**
             * Format: date-time
             * @description When it was uploaded.
             */
            readonly createdAt: string;
            readonly approval?: components["schemas"]["Approval"];
            /**
             * @description Names of the fonts that it uses.
             * @example [
             *       "Calibri"
             *     ]
             */
            readonly fonts: readonly string[];
            /**
             * @description The delimiters of the tags, separated by a space.
             * @example { }
             */
            readonly delimiters: string;
            /**
             * @description Whether GUIDs, code and sentences between delimiters print as `text`, or are tags to `fill`.
             * @enum {string}
             */
            readonly unlikelyTags: "text" | "fill";
            /** @description The steps of the review, oldest first. */
            readonly log: readonly components["schemas"]["ReviewEntry"][];
        };
        readonly ReviewEntry: {
            /**
             * @description What was done.
             * @enum {string}
             */
            readonly action: "submitted" | "commented" | "approved" | "refused" | "overridden";
            /**
             * @description Id of the API key.
             * @example key_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly keyId: string;
            /**
             * @description Name of the key.
             * @example Ada Lovelace
             */
            readonly name?: string;
            /**
             * Format: date-time
             * @description When.
             */
            readonly at: string;
            /** @description The comment, or the reason of an override. */
            readonly comment?: string;
        };
        readonly ReviewStepRequest: {
            /**
             * @description What the others should know. At most 2000 characters.
             * @example New payment terms.
             */
            readonly comment?: string | null;
        };
        readonly ReviewCommentRequest: {
            /**
             * @description What the others should know. At most 2000 characters.
             * @example The total is missing on page 2.
             */
            readonly comment: string;
        };
        readonly ReviewOverrideRequest: {
            /**
             * @description Why nobody can approve it in time. At most 2000 characters.
             * @example Wrong bank account on all invoices of today.
             */
            readonly reason: string;
        };
        readonly GenerateRequest: {
            /**
             * @description Keys match the tags of the template; values are scalars, objects, or arrays of objects.
             * @example {
             *       "customer": {
             *         "name": "Ada Lovelace"
             *       },
             *       "items": [
             *         {
             *           "name": "Consulting",
             *           "amount": "1,200.00"
             *         }
             *       ]
             *     }
             */
            readonly data: {
                readonly [key: string]: unknown;
            };
            /** @description How the document is made and delivered. */
            readonly output?: components["schemas"]["OutputOptions"] | null;
            /**
             * @description An https address that is notified when the document succeeds or fails, signed with the secret of `GET /v1/webhooks/callbacks`.
             * @example https://example.com/hooks/invoice-114
             */
            readonly callbackUrl?: string | null;
        };
        /** @description How the document is made and delivered. */
        readonly OutputOptions: {
            /**
             * @description Format of the file. `xml` is an electronic invoice without pages. Default: docx.
             * @enum {string|null}
             */
            readonly format?: "docx" | "pdf" | "xml" | null;
            /**
             * @description Name of the file. Default: the name of the template. A missing extension is added.
             * @example invoice-2026-114.docx
             */
            readonly filename?: string | null;
            /**
             * @description Language of numbers, dates and words (BCP 47). A language that the Unicode CLDR does not know is rejected. Default: `en`.
             * @example de-DE
             */
            readonly locale?: string | null;
            /**
             * @description Time zone of dates and times (IANA). A zone that the time zone database does not know is rejected. Default: `UTC`.
             * @example Europe/Berlin
             */
            readonly timezone?: string | null;
            /**
             * @description What a tag without a value does: `empty` prints nothing (the default), `error` rejects the request and lists every missing path, `highlight` prints the tag in yellow (docx only).
             * @enum {string|null}
             */
            readonly onMissing?: "empty" | "error" | "highlight" | null;
            /**
             * @description What a PDF does with characters that no font of the service has: `warn` prints empty boxes and adds a warning (the default), `error` rejects the request and lists the characters. Without effect on a .docx.
             * @enum {string|null}
             */
            readonly onMissingGlyph?: "warn" | "error" | null;
            /**
             * Format: date-time
             * @description The date of the document (RFC 3339): its properties say that it was created and changed then, and date fields of a PDF show it in `timezone`. Default: when the version of the template was uploaded, so that the same request always gives the same bytes.
             * @example 2026-03-31T14:30:00+02:00
             */
            readonly documentDate?: string | null;
            /** @description Options of the .docx; without effect on PDFs. */
            readonly docx?: components["schemas"]["DocxOptions"] | null;
            /** @description Options of the PDF; only with `format` pdf. */
            readonly pdf?: components["schemas"]["PdfOptions"] | null;
            /** @description The electronic invoice; only with `format` xml. */
            readonly xml?: components["schemas"]["XmlInvoice"] | null;
            /** @description Also send the document by e-mail. */
            readonly email?: components["schemas"]["EmailOptions"] | null;
        };
        /** @description Options of the .docx; without effect on PDFs. */
        readonly DocxOptions: {
            /**
             * @description Whether a .docx keeps content that Word would load from outside (linked pictures and objects, attached templates, imported files, mail merge sources) and digital signatures, which become invalid when the template is filled: `keep` or `remove`. Hyperlinks stay. Default: `remove` for documents that are e-mailed, `keep` for all others. PDFs never load anything.
             * @enum {string|null}
             */
            readonly externalContent?: "keep" | "remove" | null;
            /**
             * @description What happens to the content controls of a .docx: they stay, only their content stays, or nobody can edit or delete them. Default: `keep`.
             * @enum {string|null}
             */
            readonly contentControls?: "keep" | "remove" | "lock" | null;
            /**
             * @description Whether to keep or remove the comments of the template and their authors. Default: `keep`.
             * @enum {string|null}
             */
            readonly comments?: "keep" | "remove" | null;
            /**
             * @description Whether to keep or accept the tracked changes of the template. Default: `keep`.
             * @enum {string|null}
             */
            readonly trackedChanges?: "keep" | "accept" | null;
            /** @description What Word allows in the document. Default: as in the template. */
            readonly protection?: components["schemas"]["DocxProtection"] | null;
        };
        /** @description What Word allows in the document. Other programs may ignore it, because the file is not encrypted. */
        readonly DocxProtection: {
            /**
             * @description What Word allows: `readOnly` no changes, `comments` comments, `trackedChanges` changes that are tracked, `forms` filling in content controls and form fields. With `recommended`, Word asks whether to open the document read-only.
             * @enum {string}
             */
            readonly mode: "readOnly" | "comments" | "trackedChanges" | "forms" | "recommended";
            /** @description Turns the protection off in Word, which compares at most 15 characters. With `recommended`, Word asks for it before it allows changes. Everybody can read the document without it. */
            readonly password?: string | null;
        };
        /** @description Options of the PDF; only with `format` pdf. */
        readonly PdfOptions: {
            /**
             * @description The layout engine: `office` is LibreOffice; `auto` is the `pdfEngine` of the template, unless another option of the PDF needs LibreOffice. Default: auto.
             * @enum {string|null}
             */
            readonly engine?: "auto" | "office" | null;
            /**
             * @description Produce an archive file (ISO 19005). Cannot be combined with `password` or `permissions`.
             * @enum {string|null}
             */
            readonly archive?: "PDF/A-1b" | "PDF/A-2b" | "PDF/A-2u" | "PDF/A-3b" | null;
            /** @description Produce a tagged file that conforms to PDF/UA. */
            readonly accessible?: boolean | null;
            /**
             * @description What happens when the file fails the check of `archive` or `accessible`: `warn` answers it with a warning (the default), `error` rejects the request with the failures and charges nothing.
             * @enum {string|null}
             */
            readonly onNonconformance?: "warn" | "error" | null;
            /** @description Password to open the file, which is encrypted with AES-256. Readers use its first 127 bytes in UTF-8. */
            readonly password?: string | null;
            /** @description What readers of the file may do. Whatever is not listed is allowed. */
            readonly permissions?: components["schemas"]["PdfPermissions"] | null;
            /** @description Text across every page. */
            readonly watermark?: string | null;
            /**
             * @description Only these pages, counted from 1.
             * @example 1-3,5
             */
            readonly pages?: string | null;
            /** @description JPEG quality of pictures, which are also reduced to 300 dpi. By default pictures keep their resolution. */
            readonly imageQuality?: number | null;
            /** @description Files that are embedded in the PDF, at most 20. An archive file with attachments must be PDF/A-3b. */
            readonly attachments?: readonly components["schemas"]["PdfAttachment"][] | null;
            /** @description PDFs before the pages, at most 10. */
            readonly prepend?: readonly components["schemas"]["JoinedPdf"][] | null;
            /** @description PDFs after the pages, such as terms and conditions, at most 10. */
            readonly append?: readonly components["schemas"]["JoinedPdf"][] | null;
            /** @description Embed an electronic invoice. */
            readonly invoice?: components["schemas"]["HybridInvoice"] | null;
        };
        /** @description What readers of the file may do. Whatever is not listed is allowed. */
        readonly PdfPermissions: {
            /**
             * @description Allow printing: not at all, in low, or in full resolution.
             * @enum {string|null}
             */
            readonly printing?: "none" | "low" | "high" | null;
            /**
             * @description Allow changes; each value includes those before it.
             * @enum {string|null}
             */
            readonly changes?: "none" | "assembly" | "forms" | "comments" | "all" | null;
            /** @description Allow copying text and pictures. */
            readonly copying?: boolean | null;
            /** @description Allow screen readers to read the text. */
            readonly accessibility?: boolean | null;
        };
        /** @description A file that is embedded in the PDF. */
        readonly PdfAttachment: {
            /**
             * @description Name of the file. It must be unique in the list, ignoring case.
             * @example order.xml
             */
            readonly name: string;
            /**
             * @description Media type of the file, without parameters.
             * @example application/xml
             */
            readonly mediaType: string;
            /** @description Shown with the name by PDF readers. */
            readonly description?: string | null;
            /**
             * @description How the file relates to the document (`AFRelationship`). Default: Unspecified.
             * @enum {string|null}
             */
            readonly relationship?: "Source" | "Data" | "Alternative" | "Supplement" | "Unspecified" | null;
            /**
             * @description Id or name of an asset of the account, instead of `content`.
             * @example terms.pdf
             */
            readonly asset?: string | null;
            /**
             * Format: byte
             * @description The file in base64, instead of `asset`.
             * @example PG9yZGVyLz4=
             */
            readonly content?: string | null;
        };
        /** @description A PDF before or after the pages. */
        readonly JoinedPdf: {
            /**
             * @description Id or name of an asset of the account, instead of `content`.
             * @example terms.pdf
             */
            readonly asset?: string | null;
            /**
             * Format: byte
             * @description The file in base64, instead of `asset`.
             * @example PG9yZGVyLz4=
             */
            readonly content?: string | null;
        };
        /** @description An electronic invoice in a PDF/A-3b. It is made of `data`, or given as `asset` or `content`. With none of them, it is made of the data of the document by the invoice mapping of the template. */
        readonly HybridInvoice: {
            /**
             * @description The name of the standard. Both names give the same file: Factur-X 1.0 and ZUGFeRD 2.1 are equal.
             * @enum {string}
             */
            readonly format: "factur-x" | "zugferd";
            /**
             * @description The profile, by extent. `minimum` and `basic-wl` have no lines: in Germany they are not invoices. `xrechnung` is attached as xrechnung.xml, all others as factur-x.xml.
             * @enum {string}
             */
            readonly profile: "minimum" | "basic-wl" | "basic" | "en16931" | "extended" | "xrechnung";
            /**
             * @description How the XML relates to the pages (`AFRelationship`). Default: `Data` for `minimum` and `basic-wl`, otherwise `Alternative`. Set it if the recipient asks for another value.
             * @enum {string|null}
             */
            readonly relationship?: "Data" | "Source" | "Alternative" | null;
            /**
             * @description What happens if the pages do not show each value of the invoice: the document fails with `invoice_differs` (`error`, the default), or has a warning for each difference.
             * @enum {string|null}
             */
            readonly onDifference?: "error" | "warn" | null;
            /**
             * @description Id or name of an asset with the XML.
             * @example terms.pdf
             */
            readonly asset?: string | null;
            /**
             * Format: byte
             * @description The XML in base64.
             * @example PG9yZGVyLz4=
             */
            readonly content?: string | null;
            /** @description The invoice in the terms of EN 16931, instead of its XML. Amounts that follow from others are computed. */
            readonly data?: components["schemas"]["InvoiceData"] | null;
        };
        /** @description Invoice by the terms of EN 16931-1 */
        readonly InvoiceData: {
            /** @description Number of the invoice (BT-1) */
            readonly number: string;
            /**
             * Format: date
             * @description Date of issue (BT-2)
             */
            readonly issueDate: string;
            /** @description Kind of invoice, by its code of UNTDID 1001: 380 invoice, 381 credit note, 384 corrected invoice (BT-3) */
            readonly typeCode?: string;
            /** @description Currency, by its three letters of ISO 4217 (BT-5) */
            readonly currency: string;
            /** @description Currency in which VAT is accounted, if it is another (BT-6) */
            readonly vatCurrency?: string;
            /**
             * Format: date
             * @description Date when VAT becomes due (BT-7)
             */
            readonly vatPointDate?: string;
            /** @description When VAT becomes due, by its code of UNTDID 2005 (BT-8) */
            readonly vatPointDateCode?: string;
            /**
             * Format: date
             * @description Date when payment is due (BT-9)
             */
            readonly dueDate?: string;
            /** @description Buyer's reference; the Leitweg-ID of German authorities (BT-10) */
            readonly buyerReference?: string;
            /** @description Project (BT-11) */
            readonly project?: string;
            /** @description Contract (BT-12) */
            readonly contract?: string;
            /** @description Buyer's order (BT-13) */
            readonly order?: string;
            /** @description Seller's order (BT-14) */
            readonly salesOrder?: string;
            /** @description Receiving advice (BT-15) */
            readonly receivingAdvice?: string;
            /** @description Despatch advice (BT-16) */
            readonly despatchAdvice?: string;
            /** @description Call for tenders, or lot (BT-17) */
            readonly tender?: string;
            /** @description Identifier of what is invoiced (BT-18) */
            readonly object?: {
                /** @description Identifier of what is invoiced (BT-18) */
                readonly id: string;
                /** @description Scheme of the identifier, from ISO/IEC 6523 (BT-18-1) */
                readonly scheme?: string;
            };
            /** @description Buyer's account (BT-19) */
            readonly accountingReference?: string;
            /** @description Terms of payment (BT-20) */
            readonly paymentTerms?: string;
            /** @description Note (BG-1) */
            readonly notes?: readonly {
                /** @description Subject, by its code of UNTDID 4451 (BT-21) */
                readonly subject?: string;
                /** @description Note (BT-22) */
                readonly text: string;
            }[];
            /** @description Business process (BT-23) */
            readonly process?: string;
            /** @description Preceding invoice (BG-3) */
            readonly precedingInvoices?: readonly {
                /** @description Number of the preceding invoice (BT-25) */
                readonly number: string;
                /**
                 * Format: date
                 * @description Its date of issue (BT-26)
                 */
                readonly issueDate?: string;
            }[];
            readonly seller: components["schemas"]["InvoiceSeller"];
            readonly buyer: components["schemas"]["InvoiceBuyer"];
            readonly payee?: components["schemas"]["InvoicePayee"];
            readonly taxRepresentative?: components["schemas"]["InvoiceTaxRepresentative"];
            readonly delivery?: components["schemas"]["InvoiceDelivery"];
            /** @description Period of the invoice (BG-14) */
            readonly period?: {
                /**
                 * Format: date
                 * @description First day (BT-73)
                 */
                readonly start?: string;
                /**
                 * Format: date
                 * @description Last day (BT-74)
                 */
                readonly end?: string;
            };
            readonly payment?: components["schemas"]["InvoicePayment"];
            /** @description Allowance of the document (BG-20) */
            readonly allowances?: readonly components["schemas"]["InvoiceAllowance"][];
            /** @description Charge of the document (BG-21) */
            readonly charges?: readonly components["schemas"]["InvoiceCharge"][];
            readonly totals?: components["schemas"]["InvoiceTotals"];
            /** @description VAT by category and rate (BG-23). Computed if it is not given; give an entry to state why VAT is not charged */
            readonly vatBreakdown?: readonly components["schemas"]["InvoiceVatCategory"][];
            /** @description Supporting document (BG-24) */
            readonly documents?: readonly components["schemas"]["InvoiceDocument"][];
            /** @description Line (BG-25) */
            readonly lines: readonly components["schemas"]["InvoiceLine"][];
        };
        /** @description An electronic invoice without pages. It is made of `data`, or given as `asset` or `content`. With none of them, it is made of the data of the document by the invoice mapping of the template. */
        readonly XmlInvoice: {
            /**
             * @description The specification that the invoice declares. Peppol BIS is `peppol`, which is UBL.
             * @enum {string}
             */
            readonly profile: "en16931" | "xrechnung" | "peppol";
            /**
             * @description Syntax of the XML. Default: `ubl` for `peppol`, otherwise `cii`.
             * @enum {string|null}
             */
            readonly syntax?: "cii" | "ubl" | null;
            /**
             * @description Id or name of an asset with the XML.
             * @example terms.pdf
             */
            readonly asset?: string | null;
            /**
             * Format: byte
             * @description The XML in base64.
             * @example PG9yZGVyLz4=
             */
            readonly content?: string | null;
            /** @description The invoice in the terms of EN 16931, instead of its XML. Amounts that follow from others are computed. */
            readonly data?: components["schemas"]["InvoiceData"] | null;
        };
        /** @description Also sends the document by e-mail. `to`, `cc` and `bcc` together name at most 50 recipients; one that is named twice counts once. With a test key nothing is sent: the delivery has the status `skipped`. */
        readonly EmailOptions: {
            /**
             * @description Primary recipients.
             * @example [
             *       "ada@example.com"
             *     ]
             */
            readonly to: readonly string[];
            /** @description CC recipients. */
            readonly cc?: readonly string[] | null;
            /** @description BCC recipients. */
            readonly bcc?: readonly string[] | null;
            /** @description Replaces the default subject, which is in the language of the document. */
            readonly subject?: string | null;
            /** @description Text or HTML that replaces the default body, which is in the language of the document. A plain-text alternative is added to HTML. */
            readonly body?: string | null;
            /** @description Files that are sent with the document, at most 10. */
            readonly attachments?: readonly components["schemas"]["EmailAttachment"][] | null;
        };
        /** @description A file that is sent with the document. */
        readonly EmailAttachment: {
            /**
             * @description Name of the file. It must be unique in the list, ignoring case.
             * @example order.xml
             */
            readonly name: string;
            /**
             * @description Media type of the file, without parameters.
             * @example application/xml
             */
            readonly mediaType: string;
            /**
             * @description Id or name of an asset of the account, instead of `content`.
             * @example terms.pdf
             */
            readonly asset?: string | null;
            /**
             * Format: byte
             * @description The file in base64, instead of `asset`.
             * @example PG9yZGVyLz4=
             */
            readonly content?: string | null;
        };
        readonly Job: {
            /** @description Id of the job, and of its document. */
            readonly id: string;
            readonly status: components["schemas"]["JobStatus"];
            /** @description Id of the template. */
            readonly templateId: string;
            /** @description Version of the template. */
            readonly templateVersion: number;
            readonly format: components["schemas"]["DocumentFormat"];
            /** @description Name of the file. */
            readonly filename: string;
            /**
             * @description Requested with a test key: free, and with a watermark. Absent otherwise.
             * @enum {boolean}
             */
            readonly test?: true;
            /** @description Size of the file in bytes. */
            readonly size?: number;
            /** @description Pages of a PDF. */
            readonly pages?: number;
            /**
             * @description What laid out the pages of a PDF: `office` is LibreOffice; `direct` is Docmill itself. `pdfEngine` of its template says what lays out the next one.
             * @enum {string}
             */
            readonly pdfEngine?: "office" | "direct";
            /**
             * @description Why `pdfEngine` is `office`: an option of the request, the state of the template, or what the document contains. Absent if it is `direct`, and while direct layout is turned off.
             * @example [
             *       "Not laid out directly: a tracked change (w:ins)."
             *     ]
             */
            readonly pdfEngineReasons?: readonly string[];
            readonly engine?: components["schemas"]["JobEngine"];
            /** @description The templates that the template includes, with those that these include. Absent for none. */
            readonly includes?: readonly components["schemas"]["JobInclude"][];
            /** @description The delivery by e-mail: `/v1/deliveries/{id}`. */
            readonly emailDeliveryId?: string;
            /** @description To whom the request sends the document by e-mail, while the document is kept. */
            readonly emailRecipients?: readonly string[];
            /** @description What differs from what the request asked for. */
            readonly warnings: readonly components["schemas"]["DocumentWarning"][];
            readonly conformance?: components["schemas"]["JobConformance"];
            readonly timings?: components["schemas"]["JobTimings"];
            readonly error?: components["schemas"]["ErrorBody"];
            /**
             * @description The `X-Request-Id` of the request that asked for it.
             * @example order-4711
             */
            readonly requestId?: string;
            /**
             * Format: date-time
             * @description When the request was accepted.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When a worker began.
             */
            readonly startedAt?: string;
            /**
             * Format: date-time
             * @description When the job ended.
             */
            readonly finishedAt?: string;
            /**
             * Format: date-time
             * @description When the file is deleted.
             */
            readonly expiresAt?: string;
        };
        /** @description The program behind `pdfEngine`. Another version may lay out pages differently. */
        readonly JobEngine: {
            /** @description The program that laid out the pages: `LibreOffice` or `Docmill`. */
            readonly name: string;
            /** @description Its version. */
            readonly version: string;
        };
        /** @description A template that the template of the document includes. */
        readonly JobInclude: {
            /** @description The name or the id by which a tag includes it. */
            readonly name: string;
            /** @description Id of the included template. */
            readonly templateId: string;
            /** @description Its version, which was current when the request was accepted. */
            readonly version: number;
        };
        readonly DocumentWarning: {
            /** @description Kind of the warning. */
            readonly code: string;
            /** @description What differs. */
            readonly message: string;
            /** @description The part of the document: body, header 1, footnotes … */
            readonly part?: string;
            /** @description The text around the first place. */
            readonly context?: string;
            /**
             * @description The font that the text asks for.
             * @example Calibri
             */
            readonly font?: string;
            /** @description The characters that no installed font has, at most 50. */
            readonly characters?: readonly components["schemas"]["MissingCharacter"][];
            /** @description The affected values of the data, at most 50. */
            readonly paths?: readonly string[];
            /** @description How many places are affected in all. */
            readonly count?: number;
        };
        /** @description The check of a PDF that was requested with `archive` or `accessible`. Absent without them. */
        readonly JobConformance: {
            /** @description Whether the file meets every checked rule of every standard. */
            readonly passed: boolean;
            /** @description One result for each standard that was requested. */
            readonly standards: readonly components["schemas"]["StandardConformance"][];
        };
        /** @description The result for one standard. */
        readonly StandardConformance: {
            /** @description PDF/A-1b, PDF/A-2b, PDF/A-2u, PDF/A-3b or PDF/UA-1. */
            readonly standard: string;
            /** @description Whether the file meets every checked rule. */
            readonly passed: boolean;
            /** @description Number of rules that were checked. */
            readonly checked: number;
            /** @description The rules that the file breaks. */
            readonly failures: readonly components["schemas"]["ConformanceFailure"][];
        };
        /** @description A rule of a standard that the file breaks. */
        readonly ConformanceFailure: {
            /** @description Name of the rule, such as `figure-alt`. */
            readonly rule: string;
            /** @description Where the standard says it. */
            readonly clause: string;
            /** @description What is wrong, and what to do. */
            readonly message: string;
            /** @description Where it was found first. */
            readonly place?: string;
            /** @description How often it was found. */
            readonly count: number;
        };
        readonly JobTimings: {
            /** @description Waiting for a worker. */
            readonly queueMs: number;
            /** @description Filling the template. */
            readonly renderMs: number;
            /** @description Converting to PDF. */
            readonly convertMs: number;
            /** @description From acceptance to the end. */
            readonly totalMs: number;
        };
        readonly PreviewRequest: {
            /**
             * @description Id of the template.
             * @example tpl_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly templateId: string;
            /**
             * @description Version of the template. Default: the current one.
             * @example 1
             */
            readonly version?: number | null;
            /**
             * @description Keys match the tags of the template; values are scalars, objects, or arrays of objects.
             * @example {
             *       "customer": {
             *         "name": "Ada Lovelace"
             *       },
             *       "items": [
             *         {
             *           "name": "Consulting",
             *           "amount": "1,200.00"
             *         }
             *       ]
             *     }
             */
            readonly data: {
                readonly [key: string]: unknown;
            };
            /** @description As in generate, without `email`, and without password and permissions of the PDF. */
            readonly output?: components["schemas"]["PreviewOutput"] | null;
            /** @description Which pages are returned, and in which format. */
            readonly preview?: components["schemas"]["PreviewOptions"] | null;
        };
        /** @description As in generate, without `email`, and without password and permissions of the PDF. */
        readonly PreviewOutput: {
            /**
             * @description What generate would make. A preview shows the pages of the PDF in both cases.
             * @enum {string|null}
             */
            readonly format?: "docx" | "pdf" | null;
            /**
             * @description Name of the file. Default: the name of the template. A missing extension is added.
             * @example invoice-2026-114.docx
             */
            readonly filename?: string | null;
            /**
             * @description Language of numbers, dates and words (BCP 47). A language that the Unicode CLDR does not know is rejected. Default: `en`.
             * @example de-DE
             */
            readonly locale?: string | null;
            /**
             * @description Time zone of dates and times (IANA). A zone that the time zone database does not know is rejected. Default: `UTC`.
             * @example Europe/Berlin
             */
            readonly timezone?: string | null;
            /**
             * @description What a tag without a value does: `empty` prints nothing (the default), `error` rejects the request and lists every missing path, `highlight` prints the tag in yellow (docx only).
             * @enum {string|null}
             */
            readonly onMissing?: "empty" | "error" | "highlight" | null;
            /**
             * @description What a PDF does with characters that no font of the service has: `warn` prints empty boxes and adds a warning (the default), `error` rejects the request and lists the characters. Without effect on a .docx.
             * @enum {string|null}
             */
            readonly onMissingGlyph?: "warn" | "error" | null;
            /**
             * Format: date-time
             * @description The date of the document (RFC 3339): its properties say that it was created and changed then, and date fields of a PDF show it in `timezone`. Default: when the version of the template was uploaded, so that the same request always gives the same bytes.
             * @example 2026-03-31T14:30:00+02:00
             */
            readonly documentDate?: string | null;
            /** @description Options of the .docx; without effect on PDFs. */
            readonly docx?: components["schemas"]["DocxOptions"] | null;
            /** @description Options of the PDF that the preview shows. */
            readonly pdf?: components["schemas"]["PreviewPdfOptions"] | null;
        };
        /** @description Options of the PDF that the preview shows. LibreOffice lays out a file that is not stored, whatever `engine` says. */
        readonly PreviewPdfOptions: {
            /**
             * @description The layout engine: `office` is LibreOffice; `auto` is the `pdfEngine` of the template, unless another option of the PDF needs LibreOffice. Default: auto.
             * @enum {string|null}
             */
            readonly engine?: "auto" | "office" | null;
            /**
             * @description Produce an archive file (ISO 19005). Cannot be combined with `password` or `permissions`.
             * @enum {string|null}
             */
            readonly archive?: "PDF/A-1b" | "PDF/A-2b" | "PDF/A-2u" | "PDF/A-3b" | null;
            /** @description Produce a tagged file that conforms to PDF/UA. */
            readonly accessible?: boolean | null;
            /**
             * @description What happens when the file fails the check of `archive` or `accessible`: `warn` answers it with a warning (the default), `error` rejects the request with the failures and charges nothing.
             * @enum {string|null}
             */
            readonly onNonconformance?: "warn" | "error" | null;
            /** @description Text across every page. */
            readonly watermark?: string | null;
            /**
             * @description Only these pages, counted from 1.
             * @example 1-3,5
             */
            readonly pages?: string | null;
            /** @description JPEG quality of pictures, which are also reduced to 300 dpi. By default pictures keep their resolution. */
            readonly imageQuality?: number | null;
        };
        /** @description Which pages are returned, and in which format. */
        readonly PreviewOptions: {
            /**
             * @description `pdf`: the first pages. `png`: one page as a picture. Default: pdf.
             * @enum {string|null}
             */
            readonly format?: "pdf" | "png" | null;
            /** @description How many pages a PDF has at most. Default: 5. */
            readonly pages?: number | null;
            /** @description The page of a picture, counted from 1. Default: 1. */
            readonly page?: number | null;
            /** @description Pixels per inch of a picture. Default: 96. */
            readonly dpi?: number | null;
        };
        readonly PreviewForm: {
            /**
             * Format: binary
             * @description The Word template, at most 10 MB.
             */
            readonly file: string;
            /**
             * @description The delimiters of the tags, separated by a space. They are stored with the version and kept by a re-upload that gives none. Default: `{ }`.
             * @example {{ }}
             */
            readonly delimiters?: string;
            /**
             * @description What becomes of GUIDs, numbers, sets, code and sentences between delimiters. `text`: they print as they are, and a warning names them. `fill`: they are tags. Kept by a re-upload that does not give it. Default: text.
             * @enum {string}
             */
            readonly unlikelyTags?: "text" | "fill";
            /** @description JSON object with `data`, `output` and `preview` as in a preview of a stored template; a field or a file, at most 10 MB. */
            readonly request: string;
        };
        readonly SignedReceipt: {
            readonly receipt: components["schemas"]["Receipt"];
            /** @description The receipt as a compact JSON Web Signature (RFC 7515, EdDSA), if the operator has configured a key. Its public key is in `/.well-known/jwks.json`. */
            readonly signature?: string;
        };
        readonly Receipt: {
            /** @description Id of the job. */
            readonly id: string;
            /**
             * @description Requested with a test key. Absent otherwise.
             * @enum {boolean}
             */
            readonly test?: true;
            readonly template: components["schemas"]["ReceiptTemplate"];
            /** @description The templates that the template includes. Absent for none. */
            readonly includes?: readonly components["schemas"]["ReceiptInclude"][];
            readonly data: components["schemas"]["ReceiptData"];
            readonly result: components["schemas"]["ReceiptResult"];
            /** @description The options of `output` that control the file, without passwords. */
            readonly options: {
                readonly [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description The date that the document shows as its own.
             */
            readonly documentDate?: string;
            /** @description The program that laid out the pages of a PDF: `LibreOffice` or `Docmill`. */
            readonly engine?: {
                readonly name: string;
                readonly version: string;
            };
            readonly fonts?: components["schemas"]["ReceiptFonts"];
            /** @description The release of Docmill, and of Node.js, that produced the file. */
            readonly service?: {
                readonly version: string;
                readonly node: string;
            };
            /**
             * Format: date-time
             * @description When the request was accepted.
             */
            readonly acceptedAt: string;
            /**
             * Format: date-time
             * @description When the file was complete.
             */
            readonly finishedAt: string;
        };
        readonly ReceiptTemplate: {
            /** @description Id of the template. */
            readonly id: string;
            /** @description Version of the template. */
            readonly version: number;
            /** @description SHA-256 (hex) of the version's file. */
            readonly sha256: string;
            readonly approval?: components["schemas"]["Approval"];
        };
        readonly ReceiptInclude: {
            /** @description Id of the template. */
            readonly id: string;
            /** @description The name or the id by which a tag includes it. */
            readonly name: string;
            /** @description Version of the template. */
            readonly version: number;
            /** @description SHA-256 (hex) of the version's file. */
            readonly sha256: string;
            readonly approval?: components["schemas"]["Approval"];
        };
        readonly ReceiptData: {
            /** @description SHA-256 (hex) of the JSON text of `data`, byte by byte as it was sent. */
            readonly sha256: string;
        };
        readonly ReceiptResult: {
            readonly format: components["schemas"]["DocumentFormat"];
            /** @description Name of the file. */
            readonly filename: string;
            /** @description Size of the file in bytes. */
            readonly size: number;
            /** @description SHA-256 (hex) of the file. */
            readonly sha256: string;
            /** @description Pages of a PDF. */
            readonly pages?: number;
            /** @description Number of warnings. */
            readonly warnings: number;
        };
        /** @description The fonts with which a PDF was printed. */
        readonly ReceiptFonts: {
            /** @description SHA-256 (hex) of the two below and of the uploads: equal for the same fonts. */
            readonly sha256: string;
            /** @description SHA-256 (hex) of the fonts that are installed with the engine. */
            readonly installed: string;
            /** @description The fonts of the account that the document uses. */
            readonly account: readonly {
                readonly name: string;
                /** @description SHA-256 (hex) of the uploaded file. */
                readonly sha256: string;
            }[];
        };
        readonly JobRequest: {
            /** @description Id of the template. */
            readonly templateId: string;
            /** @description Version of the template. */
            readonly templateVersion: number;
            /** @description As `output` of generate, without the e-mail and without passwords. */
            readonly output: {
                readonly [key: string]: unknown;
            };
            /** @description SHA-256 (hex) of the JSON text of `data`, byte by byte as it was sent. */
            readonly dataSha256: string;
            /** @description The JSON text of `data`, byte by byte as it was sent: of a row of a batch, while the batch keeps its rows. Absent otherwise. */
            readonly data?: string;
        };
        readonly JobTimeline: readonly components["schemas"]["TimelineEntry"][];
        readonly TimelineEntry: {
            /**
             * @description `queue`: waiting for a worker. `render`: filling the template. `convert`: converting to PDF. `finish`: storing and charging. `email`, `webhook`: sending it and its events.
             * @enum {string}
             */
            readonly step: "queue" | "render" | "convert" | "finish" | "email" | "webhook";
            /**
             * @description How the step stands. `failed` for an e-mail that not all got.
             * @enum {string}
             */
            readonly status: "waiting" | "running" | "succeeded" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @description When it began; of render and convert to within some milliseconds.
             */
            readonly startedAt: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            readonly finishedAt?: string;
            /**
             * Format: date-time
             * @description Time of the next attempt.
             */
            readonly nextAttemptAt?: string;
            /** @description Attempts so far, of e-mails and webhooks. */
            readonly attempts?: number;
            /** @description Why it failed, or the last reply. */
            readonly message?: string;
            /** @description Event of a webhook. */
            readonly eventType?: string;
            /** @description The e-mail, `/v1/deliveries/{id}`, or the delivery of a webhook. */
            readonly deliveryId?: string;
            /** @description The webhook. */
            readonly webhookId?: string;
        };
        readonly JobList: readonly components["schemas"]["Job"][];
        readonly BatchQuote: {
            /** @description Number of rows. */
            readonly rows: number;
            /** @description Documents charged to the quota: one for each valid row. */
            readonly cost: number;
            /** @description Documents left in the quota. */
            readonly remaining: number;
            /** @description Documents left in the budget of the API key, if it has one. */
            readonly budgetRemaining?: number;
            /** @description Whether the batch would be accepted: it costs no more than is left, and its e-mails exceed no limit. */
            readonly fits: boolean;
            /** @description Which limit the e-mails of the batch exceed today. Absent when they exceed none. */
            readonly emailProblem?: string;
            /** @description Number of rows that would fail. */
            readonly invalidRowCount: number;
            /** @description The first 1000 rows that would fail, counted from 1. */
            readonly invalidRows: readonly components["schemas"]["InvalidRow"][];
        };
        readonly InvalidRow: {
            /** @description Counted from 1. */
            readonly row: number;
            readonly error: components["schemas"]["ErrorBody"];
        };
        readonly BatchRequest: {
            /** @description How the documents are made and delivered. */
            readonly output?: components["schemas"]["BatchOutput"] | null;
            /**
             * @description How the files can be downloaded: as a zip (the default), as one PDF (in volumes when it is large), or one by one only.
             * @enum {string|null}
             */
            readonly bundle?: "zip" | "pdf" | "none" | null;
            /** @description If more rows than this fail, the batch fails and the remaining rows are released. */
            readonly maxFailures?: number | null;
            /** @description An https address that is notified when the batch completes or fails. */
            readonly callbackUrl?: string | null;
            /** @description The rows, one document each. */
            readonly items: readonly components["schemas"]["BatchItem"][];
        };
        /** @description How the documents are made and delivered. */
        readonly BatchOutput: {
            /**
             * @description Format of the files. Default: `docx`.
             * @enum {string|null}
             */
            readonly format?: "docx" | "pdf" | "xml" | null;
            /**
             * @description Name of each file, with values of the row in braces. Duplicate names get a number.
             * @example invoice-{number}
             */
            readonly filename?: string | null;
            /**
             * @description Language of numbers, dates and words (BCP 47). A language that the Unicode CLDR does not know is rejected. Default: `en`.
             * @example de-DE
             */
            readonly locale?: string | null;
            /**
             * @description Time zone of dates and times (IANA). A zone that the time zone database does not know is rejected. Default: `UTC`.
             * @example Europe/Berlin
             */
            readonly timezone?: string | null;
            /**
             * @description What a tag without a value does: `empty` prints nothing (the default), `error` rejects the request and lists every missing path, `highlight` prints the tag in yellow (docx only).
             * @enum {string|null}
             */
            readonly onMissing?: "empty" | "error" | "highlight" | null;
            /**
             * @description What a PDF does with characters that no font of the service has: `warn` prints empty boxes and adds a warning (the default), `error` rejects the request and lists the characters. Without effect on a .docx.
             * @enum {string|null}
             */
            readonly onMissingGlyph?: "warn" | "error" | null;
            /**
             * Format: date-time
             * @description The date of the document (RFC 3339): its properties say that it was created and changed then, and date fields of a PDF show it in `timezone`. Default: when the version of the template was uploaded, so that the same request always gives the same bytes.
             * @example 2026-03-31T14:30:00+02:00
             */
            readonly documentDate?: string | null;
            /** @description Options of the .docx; without effect on PDFs. */
            readonly docx?: components["schemas"]["DocxOptions"] | null;
            /** @description Options of the PDFs; only with `format` pdf. */
            readonly pdf?: components["schemas"]["BatchPdfOptions"] | null;
            /** @description The electronic invoices; only with `format` xml. */
            readonly xml?: components["schemas"]["BatchXmlInvoice"] | null;
            /** @description Also sends each document by e-mail. */
            readonly email?: components["schemas"]["BatchEmail"] | null;
        };
        /** @description Options of the PDF; only with `format` pdf. */
        readonly BatchPdfOptions: {
            /**
             * @description The layout engine: `office` is LibreOffice; `auto` is the `pdfEngine` of the template, unless another option of the PDF needs LibreOffice. Default: auto.
             * @enum {string|null}
             */
            readonly engine?: "auto" | "office" | null;
            /**
             * @description Produce an archive file (ISO 19005). Cannot be combined with `password` or `permissions`.
             * @enum {string|null}
             */
            readonly archive?: "PDF/A-1b" | "PDF/A-2b" | "PDF/A-2u" | "PDF/A-3b" | null;
            /** @description Produce a tagged file that conforms to PDF/UA. */
            readonly accessible?: boolean | null;
            /**
             * @description What happens when the file fails the check of `archive` or `accessible`: `warn` answers it with a warning (the default), `error` rejects the request with the failures and charges nothing.
             * @enum {string|null}
             */
            readonly onNonconformance?: "warn" | "error" | null;
            /** @description Password to open the file, which is encrypted with AES-256. Readers use its first 127 bytes in UTF-8. */
            readonly password?: string | null;
            /** @description What readers of the file may do. Whatever is not listed is allowed. */
            readonly permissions?: components["schemas"]["PdfPermissions"] | null;
            /** @description Text across every page. */
            readonly watermark?: string | null;
            /**
             * @description Only these pages, counted from 1.
             * @example 1-3,5
             */
            readonly pages?: string | null;
            /** @description JPEG quality of pictures, which are also reduced to 300 dpi. By default pictures keep their resolution. */
            readonly imageQuality?: number | null;
            /** @description Files that are embedded in the PDF, at most 20. An archive file with attachments must be PDF/A-3b. */
            readonly attachments?: readonly components["schemas"]["BatchPdfAttachment"][] | null;
            /** @description PDFs before the pages, at most 10. */
            readonly prepend?: readonly components["schemas"]["BatchJoinedPdf"][] | null;
            /** @description PDFs after the pages, such as terms and conditions, at most 10. */
            readonly append?: readonly components["schemas"]["BatchJoinedPdf"][] | null;
            /** @description Embed an electronic invoice. */
            readonly invoice?: components["schemas"]["BatchHybridInvoice"] | null;
        };
        /** @description An asset that is embedded in each PDF. */
        readonly BatchPdfAttachment: {
            /**
             * @description Name of the file. It must be unique in the list, ignoring case.
             * @example order.xml
             */
            readonly name: string;
            /**
             * @description Media type of the file, without parameters.
             * @example application/xml
             */
            readonly mediaType: string;
            /** @description Shown with the name by PDF readers. */
            readonly description?: string | null;
            /**
             * @description How the file relates to the document (`AFRelationship`). Default: Unspecified.
             * @enum {string|null}
             */
            readonly relationship?: "Source" | "Data" | "Alternative" | "Supplement" | "Unspecified" | null;
            /**
             * @description Id or name of an asset of the account.
             * @example terms.pdf
             */
            readonly asset: string;
        };
        /** @description A PDF before or after the pages, stored as an asset. */
        readonly BatchJoinedPdf: {
            /**
             * @description Id or name of an asset of the account.
             * @example terms.pdf
             */
            readonly asset: string;
        };
        /** @description An electronic invoice in each PDF/A-3b, made of the data of the row by the invoice mapping of the template. */
        readonly BatchHybridInvoice: {
            /**
             * @description The name of the standard. Both names give the same file: Factur-X 1.0 and ZUGFeRD 2.1 are equal.
             * @enum {string}
             */
            readonly format: "factur-x" | "zugferd";
            /**
             * @description The profile, by extent. `minimum` and `basic-wl` have no lines: in Germany they are not invoices. `xrechnung` is attached as xrechnung.xml, all others as factur-x.xml.
             * @enum {string}
             */
            readonly profile: "minimum" | "basic-wl" | "basic" | "en16931" | "extended" | "xrechnung";
            /**
             * @description How the XML relates to the pages (`AFRelationship`). Default: `Data` for `minimum` and `basic-wl`, otherwise `Alternative`. Set it if the recipient asks for another value.
             * @enum {string|null}
             */
            readonly relationship?: "Data" | "Source" | "Alternative" | null;
            /**
             * @description What happens if the pages do not show each value of the invoice: the document fails with `invoice_differs` (`error`, the default), or has a warning for each difference.
             * @enum {string|null}
             */
            readonly onDifference?: "error" | "warn" | null;
        };
        /** @description An electronic invoice of each row, made of its data by the invoice mapping of the template. */
        readonly BatchXmlInvoice: {
            /**
             * @description The specification that the invoice declares. Peppol BIS is `peppol`, which is UBL.
             * @enum {string}
             */
            readonly profile: "en16931" | "xrechnung" | "peppol";
            /**
             * @description Syntax of the XML. Default: `ubl` for `peppol`, otherwise `cii`.
             * @enum {string|null}
             */
            readonly syntax?: "cii" | "ubl" | null;
        };
        /** @description Also sends each document by e-mail. */
        readonly BatchEmail: {
            /** @description Addresses, or values of the row: `{customer.email}`. */
            readonly to: readonly string[];
            /** @description CC recipients. */
            readonly cc?: readonly string[] | null;
            /** @description BCC recipients. */
            readonly bcc?: readonly string[] | null;
            /** @description May contain values of the row. */
            readonly subject?: string | null;
            /** @description The same for all rows. */
            readonly body?: string | null;
            /** @description Files that are sent with the document, at most 10. */
            readonly attachments?: readonly components["schemas"]["BatchEmailAttachment"][] | null;
        };
        /** @description An asset that is sent with each document. */
        readonly BatchEmailAttachment: {
            /**
             * @description Name of the file. It must be unique in the list, ignoring case.
             * @example order.xml
             */
            readonly name: string;
            /**
             * @description Media type of the file, without parameters.
             * @example application/xml
             */
            readonly mediaType: string;
            /**
             * @description Id or name of an asset of the account.
             * @example terms.pdf
             */
            readonly asset: string;
        };
        readonly BatchItem: {
            /** @description As `data` of generate. */
            readonly data: {
                readonly [key: string]: unknown;
            };
            /** @description Overrides the `output` of the batch. */
            readonly output?: components["schemas"]["BatchItemOutput"] | null;
            /** @description Why this row has no document. The row fails alone with this message and costs nothing. For clients that read tables: an invalid row stays in the batch, so that the others keep their numbers. */
            readonly error?: string | null;
        };
        readonly BatchItemOutput: {
            /** @description Name of the file; values are not inserted. */
            readonly filename?: string | null;
            /**
             * @description Language of numbers, dates and words (BCP 47). A language that the Unicode CLDR does not know is rejected. Default: `en`.
             * @example de-DE
             */
            readonly locale?: string | null;
            /**
             * @description Time zone of dates and times (IANA). A zone that the time zone database does not know is rejected. Default: `UTC`.
             * @example Europe/Berlin
             */
            readonly timezone?: string | null;
            /**
             * @description What a tag without a value does: `empty` prints nothing (the default), `error` rejects the request and lists every missing path, `highlight` prints the tag in yellow (docx only).
             * @enum {string|null}
             */
            readonly onMissing?: "empty" | "error" | "highlight" | null;
            /**
             * @description What a PDF does with characters that no font of the service has: `warn` prints empty boxes and adds a warning (the default), `error` rejects the request and lists the characters. Without effect on a .docx.
             * @enum {string|null}
             */
            readonly onMissingGlyph?: "warn" | "error" | null;
            /**
             * Format: date-time
             * @description The date of the document (RFC 3339): its properties say that it was created and changed then, and date fields of a PDF show it in `timezone`. Default: when the version of the template was uploaded, so that the same request always gives the same bytes.
             * @example 2026-03-31T14:30:00+02:00
             */
            readonly documentDate?: string | null;
            /** @description Options of the .docx; without effect on PDFs. */
            readonly docx?: components["schemas"]["DocxOptions"] | null;
            /** @description Options of the PDF. */
            readonly pdf?: components["schemas"]["BatchPdfOptions"] | null;
            /** @description Replaces the e-mail of the batch. */
            readonly email?: components["schemas"]["BatchRowEmail"] | null;
        };
        /** @description Also sends the document by e-mail. `to`, `cc` and `bcc` together name at most 50 recipients; one that is named twice counts once. With a test key nothing is sent: the delivery has the status `skipped`. */
        readonly BatchRowEmail: {
            /**
             * @description Primary recipients.
             * @example [
             *       "ada@example.com"
             *     ]
             */
            readonly to: readonly string[];
            /** @description CC recipients. */
            readonly cc?: readonly string[] | null;
            /** @description BCC recipients. */
            readonly bcc?: readonly string[] | null;
            /** @description Replaces the default subject, which is in the language of the document. */
            readonly subject?: string | null;
            /** @description Text or HTML that replaces the default body, which is in the language of the document. A plain-text alternative is added to HTML. */
            readonly body?: string | null;
            /** @description Files that are sent with the document, at most 10. */
            readonly attachments?: readonly components["schemas"]["BatchEmailAttachment"][] | null;
        };
        readonly Batch: components["schemas"]["BatchProgress"] & {
            /** @description The most frequent warnings of the documents, with the number of rows. */
            readonly warnings: readonly components["schemas"]["BatchWarning"][];
        };
        readonly BatchFile: {
            /** @description Name of the file. */
            readonly name: string;
            /** @description Size of the file in bytes. */
            readonly size: number;
            /** @description SHA-256 of the file, hex. */
            readonly checksum: string;
            /** @description The first row in this file. */
            readonly firstRow: number;
            /** @description The last row in this file. */
            readonly lastRow: number;
        };
        /** @description Number of rows by status. */
        readonly BatchCounts: {
            /** @description Rows that wait. */
            readonly queued: number;
            /** @description Rows that are being produced. */
            readonly running: number;
            /** @description Rows that have a document. */
            readonly succeeded: number;
            /** @description Rows without one; they cost nothing. */
            readonly failed: number;
            /** @description Rows that were cancelled; they cost nothing. */
            readonly cancelled: number;
        };
        readonly BatchWarning: {
            /** @description Kind of the warning. */
            readonly code: string;
            /** @description What differs. */
            readonly message: string;
            /** @description Number of rows with this warning. */
            readonly rows: number;
        };
        readonly BatchProgress: components["schemas"]["BatchSummary"] & {
            readonly counts: components["schemas"]["BatchCounts"];
            /** @description Average of the last minute, while the batch runs. */
            readonly rowsPerSecond?: number;
            /**
             * Format: date-time
             * @description Estimated from `rowsPerSecond`.
             */
            readonly estimatedFinishAt?: string;
        };
        readonly BatchSummary: {
            /** @description Id of the batch. */
            readonly id: string;
            readonly status: components["schemas"]["BatchStatus"];
            /** @description Id of the template. */
            readonly templateId: string;
            /** @description Version of the template. */
            readonly templateVersion: number;
            readonly format: components["schemas"]["DocumentFormat"];
            /**
             * @description How the files can be downloaded.
             * @enum {string}
             */
            readonly bundle: "zip" | "pdf" | "none";
            /** @description Number of rows. */
            readonly rows: number;
            /** @description The batch fails when more rows than this fail. */
            readonly maxFailures?: number;
            readonly error?: components["schemas"]["ErrorBody"];
            /** @description The finished bundle: one zip, or the volumes of one PDF. */
            readonly files: readonly components["schemas"]["BatchFile"][];
            /**
             * @description The `X-Request-Id` of the request that asked for it.
             * @example order-4711
             */
            readonly requestId?: string;
            /**
             * Format: date-time
             * @description When the batch was accepted.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the first row began.
             */
            readonly startedAt?: string;
            /**
             * Format: date-time
             * @description When the batch ended.
             */
            readonly finishedAt?: string;
            /**
             * Format: date-time
             * @description When the files are deleted.
             */
            readonly expiresAt?: string;
        };
        readonly BatchRowList: readonly components["schemas"]["BatchRow"][];
        readonly BatchRow: {
            /** @description Counted from 1, in the order of the request. */
            readonly row: number;
            /** @description The row as a job: `/v1/jobs/{id}`. */
            readonly jobId: string;
            readonly status: components["schemas"]["JobStatus"];
            /** @description Name of the file. */
            readonly filename: string;
            /** @description Size of the file in bytes. */
            readonly size?: number;
            readonly error?: components["schemas"]["ErrorBody"];
        };
        readonly BatchManifest: readonly components["schemas"]["BatchManifestEntry"][];
        readonly BatchManifestEntry: {
            /** @description Counted from 1, in the order of the request. */
            readonly row: number;
            /** @description Name of the file, also inside the zip. */
            readonly file?: string;
            readonly status: components["schemas"]["JobStatus"];
            /** @description SHA-256 of the file, hex. */
            readonly checksum?: string;
            /** @description Size of the file in bytes. */
            readonly size?: number;
            /** @description Pages of a PDF. */
            readonly pages?: number;
            /** @description Why the row failed. */
            readonly error?: string;
            /** @description The row as a job: `/v1/jobs/{jobId}`. */
            readonly jobId: string;
        };
        readonly BatchList: readonly components["schemas"]["BatchSummary"][];
        readonly DeliveryList: readonly components["schemas"]["Delivery"][];
        readonly Delivery: {
            /** @description Id of the delivery. */
            readonly id: string;
            /** @description The document that is sent, as a job: `/v1/jobs/{id}`. */
            readonly documentId: string;
            readonly status: components["schemas"]["DeliveryStatus"];
            /** @description Attempts so far. */
            readonly attempts: number;
            /** @description Each recipient once. */
            readonly recipients: readonly components["schemas"]["DeliveryRecipient"][];
            /** @description Last reply of the mail server. */
            readonly reply?: string;
            /** @description Recipients of the message; only of a single delivery, while the document is kept. */
            readonly to?: readonly string[];
            /** @description CC recipients of the message; only of a single delivery, while the document is kept. */
            readonly cc?: readonly string[];
            /** @description BCC recipients of the message; only of a single delivery, while the document is kept. */
            readonly bcc?: readonly string[];
            /** @description The subject of the request; only of a single delivery. Absent for the default. */
            readonly subject?: string;
            /** @description The text or HTML of the request; only of a single delivery. Absent for the default. */
            readonly body?: string;
            /**
             * Format: date-time
             * @description When the request was accepted.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Time of the next attempt.
             */
            readonly nextAttemptAt?: string;
            /**
             * Format: date-time
             * @description When the delivery ended.
             */
            readonly finishedAt?: string;
        };
        /**
         * @description Status of the whole delivery.
         * @enum {string}
         */
        readonly DeliveryStatus: "pending" | "sending" | "sent" | "partial" | "failed" | "unknown" | "skipped";
        readonly DeliveryRecipient: {
            /** @description E-mail address. */
            readonly address: string;
            /**
             * @description What is known of this recipient.
             * @enum {string}
             */
            readonly status: "pending" | "sent" | "failed" | "deferred" | "unknown" | "skipped";
            /** @description Reply of the mail server. */
            readonly reply?: string;
        };
        /** @description A document whose e-mail is sent again, and to whom. */
        readonly DeliveryRequest: {
            /**
             * @description The document, as a job.
             * @example doc_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly documentId: string;
            /**
             * @description Primary recipients.
             * @example [
             *       "ada@example.com"
             *     ]
             */
            readonly to: readonly string[];
            /** @description CC recipients. */
            readonly cc?: readonly string[] | null;
            /** @description BCC recipients. */
            readonly bcc?: readonly string[] | null;
        };
        readonly Webhook: {
            /** @description Id of the webhook. */
            readonly id: string;
            /**
             * @description `callbacks` signs the events of `callbackUrl`.
             * @enum {string}
             */
            readonly kind: "endpoint" | "callbacks";
            /** @description Where events are sent; none for `callbacks`. */
            readonly url?: string;
            /** @description Free text for your own use. */
            readonly description?: string;
            /** @description Events to send. */
            readonly events: readonly components["schemas"]["EventType"][];
            /**
             * @description A disabled webhook gets no events.
             * @enum {string}
             */
            readonly status: "enabled" | "disabled";
            /** @description Why the service disabled the webhook. */
            readonly disabledReason?: string;
            /**
             * Format: date-time
             * @description The first failure after the last success; after three days the webhook is disabled.
             */
            readonly failingSince?: string;
            /**
             * @description Signs the events. Shown when it is created, and at any time for `callbacks`.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwC3Iw2Gd0yXc=
             */
            readonly secret?: string;
            /**
             * Format: date-time
             * @description When the previous secret stops signing.
             */
            readonly previousSecretExpiresAt?: string;
            /**
             * Format: date-time
             * @description When the webhook was created.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            readonly updatedAt: string;
        };
        /** @enum {string} */
        readonly EventType: "document.succeeded" | "document.failed" | "batch.completed" | "email.failed" | "quota.warning" | "template.submitted" | "template.approved" | "template.refused" | "template.overridden";
        readonly WebhookRequest: {
            /**
             * @description An https address.
             * @example https://example.com/hooks/docmill
             */
            readonly url: string;
            /**
             * @description Events to send.
             * @example [
             *       "document.succeeded",
             *       "document.failed"
             *     ]
             */
            readonly events: readonly components["schemas"]["EventType"][];
            /**
             * @description Free text for your own use.
             * @example Archive of invoices
             */
            readonly description?: string | null;
        };
        readonly WebhookDelivery: {
            /** @description Id of the delivery. */
            readonly id: string;
            /** @description The `webhook-id` of every attempt. */
            readonly eventId: string;
            /**
             * @description Type of the event.
             * @example document.succeeded
             */
            readonly eventType: string;
            /** @description The body of every attempt, as it is signed. */
            readonly body: string;
            /** @description The `callbackUrl`, for `callbacks`. */
            readonly url?: string;
            readonly status: components["schemas"]["WebhookDeliveryStatus"];
            /** @description Attempts so far. */
            readonly attempts: number;
            readonly response?: components["schemas"]["WebhookResponse"];
            /** @description Why the last attempt failed. */
            readonly error?: string;
            /** @description Duration of the last attempt. */
            readonly durationMs?: number;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Time of the next attempt.
             */
            readonly nextAttemptAt?: string;
            /**
             * Format: date-time
             * @description When the delivery ended.
             */
            readonly finishedAt?: string;
        };
        /** @enum {string} */
        readonly WebhookDeliveryStatus: "pending" | "sending" | "delivered" | "failed";
        /** @description Response to the last attempt. */
        readonly WebhookResponse: {
            /** @description HTTP status code. */
            readonly status: number;
            /** @description At most the first 1,024 characters. */
            readonly body: string;
        };
        readonly WebhookList: readonly components["schemas"]["Webhook"][];
        readonly WebhookChanges: {
            /**
             * @description An https address.
             * @example https://example.com/hooks/docmill
             */
            readonly url?: string | null;
            /**
             * @description Events to send.
             * @example [
             *       "document.succeeded",
             *       "document.failed"
             *     ]
             */
            readonly events?: readonly components["schemas"]["EventType"][] | null;
            /**
             * @description Free text for your own use.
             * @example Archive of invoices
             */
            readonly description?: string | null;
            /**
             * @description A disabled webhook gets no events.
             * @enum {string|null}
             */
            readonly status?: "enabled" | "disabled" | null;
        };
        readonly WebhookDeliveryList: readonly components["schemas"]["WebhookDelivery"][];
        readonly Asset: {
            /**
             * @description Id of the asset.
             * @example ast_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly id: string;
            /**
             * @description Name by which requests can refer to it.
             * @example logo.png
             */
            readonly name: string;
            /**
             * @description Detected from the content, not from the name; `file` if uploaded with `kind` file.
             * @enum {string}
             */
            readonly type: "png" | "jpeg" | "gif" | "svg" | "pdf" | "file";
            /**
             * @description Size of the file in bytes.
             * @example 18204
             */
            readonly size: number;
            /** @description SHA-256 of the file, hex. */
            readonly checksum: string;
            /**
             * @description In pixels; for an SVG, at 96 dpi. 0 unless it is a picture.
             * @example 640
             */
            readonly width: number;
            /**
             * @description In pixels. 0 unless it is a picture.
             * @example 480
             */
            readonly height: number;
            /**
             * Format: date-time
             * @description When the asset was first uploaded.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When its content was last replaced.
             */
            readonly updatedAt: string;
        };
        readonly AssetUpload: {
            /**
             * @description Name of the file, by which requests can refer to it.
             * @example logo.png
             */
            readonly name: string;
            /**
             * @description `picture` (the default) stores a picture, or a PDF, and rejects anything else. `file` stores any file, which requests can attach to documents and e-mails.
             * @enum {string}
             */
            readonly kind?: "picture" | "file";
            /**
             * Format: binary
             * @description A file of at most 5 MB; a picture has at most 50 million pixels.
             */
            readonly file: string;
        };
        readonly AssetList: readonly components["schemas"]["Asset"][];
        readonly AccountFont: {
            /**
             * @description Id of the font.
             * @example fnt_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly id: string;
            /**
             * @description Only documents of the account use the font.
             * @enum {string}
             */
            readonly scope: "account";
            /**
             * @description Name given at upload, or the full name.
             * @example Acme Sans Bold
             */
            readonly name: string;
            /**
             * @description Family, as documents name it.
             * @example Acme Sans
             */
            readonly family: string;
            /**
             * @description The style of the family that this font is.
             * @example bold
             * @enum {string}
             */
            readonly style: "regular" | "bold" | "italic" | "boldItalic";
            /**
             * @description Full name inside the font.
             * @example Acme Sans Bold
             */
            readonly fullName: string;
            /**
             * @description Version inside the font.
             * @example Version 1.004
             */
            readonly version: string | null;
            /**
             * @description Outline format.
             * @example truetype
             * @enum {string}
             */
            readonly format: "truetype" | "opentype";
            /**
             * @description Embedding rights that its licence grants (`fsType`). A restricted font is refused.
             * @example installable
             * @enum {string}
             */
            readonly embedding: "installable" | "editable" | "print";
            /**
             * @description Number of glyphs.
             * @example 812
             */
            readonly glyphs: number;
            /**
             * @description Number of characters.
             * @example 640
             */
            readonly characters: number;
            /**
             * @description Size of the uploaded file in bytes.
             * @example 148204
             */
            readonly size: number;
            /** @description SHA-256 of the uploaded file, hex. */
            readonly checksum: string;
            /**
             * Format: date-time
             * @description When the font was first uploaded.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it was last replaced.
             */
            readonly updatedAt: string;
        };
        readonly FontUpload: {
            /**
             * @description A name for lists. Default: the full name inside the font.
             * @example Corporate font, bold
             */
            readonly name?: string | null;
            /**
             * Format: binary
             * @description A TrueType or OpenType font (.ttf, .otf) of at most 10 MB.
             */
            readonly file: string;
        };
        readonly FontList: readonly components["schemas"]["Font"][];
        readonly Font: {
            /**
             * @description Name of the family.
             * @example Noto Sans Thai
             */
            readonly name: string;
            /**
             * @description `installed` on the workers, for all accounts, or uploaded to your `account`.
             * @enum {string}
             */
            readonly scope: "installed" | "account";
            /** @description The uploaded fonts of the family; only for scope `account`. */
            readonly fonts?: readonly {
                /** @description Id of the font. */
                readonly id: string;
                /**
                 * @description The style of the family that this font is.
                 * @example bold
                 * @enum {string}
                 */
                readonly style: "regular" | "bold" | "italic" | "boldItalic";
            }[];
            /**
             * @description Its styles, sorted.
             * @example [
             *       "Bold",
             *       "Regular"
             *     ]
             */
            readonly styles: readonly string[];
            /**
             * @description The scripts that it covers (ISO 15924), sorted. `Zsye` is emoji.
             * @example [
             *       "Thai"
             *     ]
             */
            readonly scripts: readonly string[];
            /**
             * @description Version of the font files.
             * @example 2.042
             */
            readonly version?: string;
            /**
             * @description Workers that have it.
             * @example 3
             */
            readonly workers: number;
            /** @description Whether all workers have it. Otherwise documents differ with the worker that makes them. */
            readonly complete: boolean;
        };
        readonly InvoiceReport: {
            /** @description Whether no rule with the severity `fatal` is broken. */
            readonly valid: boolean;
            /**
             * @description The syntax of the XML.
             * @enum {string}
             */
            readonly syntax: "cii" | "ubl-invoice" | "ubl-credit-note";
            /**
             * @description The profile that the invoice claims, such as `EN 16931` or `XRECHNUNG`; null for one that is not known.
             * @example EN 16931
             */
            readonly profile: string | null;
            /** @description The specification that it names (BT-24); may be empty. */
            readonly specification: string;
            /**
             * @description The rules that were run. None for `MINIMUM` and `BASIC WL`, which have no lines and are not invoices of EN 16931.
             * @example [
             *       "en16931-cii"
             *     ]
             */
            readonly ruleSets: readonly string[];
            /** @description The attachment of the PDF that holds the invoice; null for XML. */
            readonly attachment: {
                /**
                 * @description Name of the attachment.
                 * @example factur-x.xml
                 */
                readonly name: string;
                /** @description The profile that the metadata of the PDF declares. */
                readonly conformanceLevel: string | null;
                /**
                 * @description Its relationship to the pages.
                 * @example Alternative
                 */
                readonly relationship: string | null;
            } | null;
            /** @description The broken rules; at most 500 of each set of rules. */
            readonly findings: readonly components["schemas"]["InvoiceFinding"][];
            /** @description Whether there are more. */
            readonly hasMoreFindings: boolean;
            /** @description The values of the invoice that the pages of the PDF do not show where they should, at most 100. They do not make an invoice invalid. Null for XML, and if the pages could not be compared, which the finding `pdf-pages` explains. */
            readonly differences: readonly components["schemas"]["InvoicePageDifference"][] | null;
            /** @description Whether there are more. */
            readonly hasMoreDifferences: boolean;
        };
        readonly InvoiceFinding: {
            /**
             * @description The rule, such as `BR-CO-15`. `pdf-profile` requires that the metadata of a PDF declare the profile of its invoice.
             * @example BR-CO-15
             */
            readonly id: string;
            /**
             * @description Only `fatal` makes an invoice invalid.
             * @enum {string}
             */
            readonly severity: "fatal" | "warning" | "information";
            /** @description The text of the rule, in its language. */
            readonly message: string;
            /**
             * @description The terms that the rule is about.
             * @example [
             *       "BT-112"
             *     ]
             */
            readonly businessTerms: readonly string[];
            /** @description XPath of the element that was checked. */
            readonly location: string;
            /** @description Line of the element in the XML, from 1. */
            readonly line: number;
            /** @description Why the rule could not be evaluated, such as an amount that is not a number. */
            readonly problem?: string;
        };
        readonly InvoicePageDifference: {
            /** @description What differs, as a sentence. */
            readonly message: string;
            /**
             * @description The term whose value differs.
             * @example [
             *       "BT-112"
             *     ]
             */
            readonly businessTerms: readonly string[];
            /** @description The line of the invoice, from 1. */
            readonly invoiceLine?: number;
            /**
             * @description The value of the invoice.
             * @example 119.00
             */
            readonly expected: string;
            /**
             * @description What the page shows in its place; absent if nothing was recognized.
             * @example 120,00
             */
            readonly found?: string;
            /** @description The page, from 1, without pages that the request adds before. */
            readonly page?: number;
            /** @description The place, in points (1/72 inch) from the upper left corner of the page. */
            readonly box?: {
                readonly x: number;
                readonly y: number;
                readonly width: number;
                readonly height: number;
            };
        };
        readonly InvoiceUpload: {
            /**
             * Format: binary
             * @description An invoice as XML (CII or UBL 2.1), or a PDF with one attached, of at most 10 MB.
             */
            readonly file: string;
        };
        readonly Dictionary: {
            /** @description For each locale, the word of each key. */
            readonly words: {
                readonly [key: string]: {
                    readonly [key: string]: string;
                };
            };
            /** @description SHA-256 that identifies the words, hex. */
            readonly checksum: string;
            /**
             * Format: date-time
             * @description When the words were last replaced.
             */
            readonly updatedAt: string;
        };
        readonly DictionaryRequest: {
            /** @description For each locale (BCP 47), the word of each key. Empty words count as missing. At most 100 locales, 20,000 words and 1 MB. */
            readonly words: {
                readonly [key: string]: {
                    readonly [key: string]: string;
                };
            };
        };
        readonly Quotas: {
            readonly allocated: components["schemas"]["QuotaBalance"];
            readonly remaining: components["schemas"]["QuotaBalance"];
        };
        readonly QuotaBalance: {
            readonly subscriptions: components["schemas"]["QuotaAmounts"];
            readonly credits: components["schemas"]["QuotaAmounts"];
            readonly total: components["schemas"]["QuotaAmounts"];
        };
        readonly QuotaAmounts: {
            /**
             * @description Documents.
             * @example 1000
             */
            readonly docs: number;
            /**
             * @description Templates.
             * @example 50
             */
            readonly templates: number;
        };
        readonly Usage: {
            /**
             * Format: date
             * @description First day (UTC).
             */
            readonly from: string;
            /**
             * Format: date
             * @description Last day (UTC), inclusive.
             */
            readonly to: string;
            /**
             * @description What each group stands for. `dayAndTemplate`: a day and one of the 10 templates with the most documents of the period; the others have one group a day together.
             * @enum {string}
             */
            readonly groupBy: "day" | "template" | "key" | "dayAndTemplate";
            readonly totals: components["schemas"]["UsageAmounts"];
            /** @description Days in order, other groups by number of documents; at most 1000, or all of `dayAndTemplate`. Days without documents are omitted. */
            readonly groups: readonly components["schemas"]["UsageGroup"][];
            /** @description Whether there are more than 1000 groups. */
            readonly hasMore: boolean;
        };
        readonly UsageAmounts: {
            /** @description Documents charged, minus refunds. */
            readonly documents: number;
            /** @description Pages of the PDFs among them. */
            readonly pages: number;
            /** @description Size of the files in bytes. */
            readonly bytes: number;
            /** @description Documents that failed; they cost nothing. */
            readonly failures: number;
            /** @description Documents cancelled before they were produced; they cost nothing. */
            readonly cancelled: number;
        };
        readonly UsageGroup: {
            /**
             * Format: date
             * @description For `groupBy=day` and `dayAndTemplate`.
             */
            readonly day?: string;
            /** @description For `groupBy=template` and `dayAndTemplate`; absent in the group of all other templates of a day. */
            readonly templateId?: string;
            /** @description For `groupBy=key`. Null for documents of unknown keys. */
            readonly keyId?: string | null;
            /** @description Documents charged, minus refunds. */
            readonly documents: number;
            /** @description Pages of the PDFs among them. */
            readonly pages: number;
            /** @description Size of the files in bytes. */
            readonly bytes: number;
            /** @description Documents that failed; they cost nothing. */
            readonly failures: number;
            /** @description Documents cancelled before they were produced; they cost nothing. */
            readonly cancelled: number;
        };
        readonly AccountKey: {
            /** @description Id of the key, as in `groupBy=key` of the usage. */
            readonly id: string;
            readonly account: components["schemas"]["KeyAccount"];
            /** @description The name that the operator gave it. For people who sign in: their name. */
            readonly name?: string;
            readonly person?: components["schemas"]["AccountPerson"];
            /** @description The person who is responsible for the key; absent if it has no owner. */
            readonly ownerId?: string;
            /** @description How the key begins, to recognise it. It is no secret. */
            readonly prefix: string;
            /**
             * @description `test`: its documents are free and have a watermark.
             * @enum {string}
             */
            readonly kind: "live" | "test";
            /**
             * @description Only an `active` key is accepted.
             * @enum {string}
             */
            readonly status: "active" | "expired" | "revoked";
            /** @description What the key may do. */
            readonly scopes: readonly ("templates:read" | "templates:write" | "documents:read" | "generate" | "account:read" | "webhooks" | "templates:approve" | "templates:override")[];
            /** @description Whether the key was created without a list of scopes: it has all but `templates:approve` and `templates:override`, those of later releases too. */
            readonly hasAllScopes: boolean;
            readonly budget?: components["schemas"]["AccountKeyBudget"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it expires, or expired; absent for one that does not.
             */
            readonly expiresAt?: string;
            /**
             * Format: date-time
             * @description When it was revoked.
             */
            readonly revokedAt?: string;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation works, too.
             */
            readonly previousSecretUntil?: string;
            /**
             * Format: date-time
             * @description The last request with the key, recorded within 10 seconds.
             */
            readonly lastUsedAt?: string;
        };
        /** @description The account of the key. */
        readonly KeyAccount: {
            /** @description Id of the account. */
            readonly id: string;
            /** @description What the operator called it. */
            readonly name: string;
        };
        /** @description Somebody who signs in to the console; absent for a key. */
        readonly AccountPerson: {
            /** @description Id of the provider by which the person signs in. */
            readonly provider: string;
            /** @description As the provider has it. */
            readonly email?: string;
            /** @description At the last sign-in; none after a refused one. */
            readonly roles: readonly ("viewer" | "author" | "approver" | "developer" | "admin")[];
        };
        /** @description Absent when the quota of the account is the only limit. */
        readonly AccountKeyBudget: {
            /** @description Documents it may request in a calendar month (UTC). */
            readonly docsPerMonth: number;
            /** @description What is left of them in this month. */
            readonly remaining: number;
        };
        readonly AccountKeyList: readonly components["schemas"]["AccountKey"][];
        readonly AdminCreatedAccount: {
            /** @description Id of the account. */
            readonly accountId: string;
            /** @description Its name. */
            readonly name: string;
        };
        readonly AdminAccountRequest: {
            /**
             * @description A name for people.
             * @example Smith & Sons
             */
            readonly name: string;
        };
        readonly AdminAccountList: readonly components["schemas"]["AdminAccountSummary"][];
        readonly AdminAccountSummary: {
            /** @description Id of the account. */
            readonly accountId: string;
            /** @description Its name. */
            readonly name: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Since when its keys are refused; null if they are accepted.
             */
            readonly suspendedAt: string | null;
            /**
             * Format: date-time
             * @description Since when it is being deleted, which cannot be undone.
             */
            readonly deletingSince: string | null;
            /** @description Templates it has. */
            readonly templates: number;
            /** @description Keys that are neither revoked nor expired. */
            readonly keys: number;
            /** @description The monthly quota; null without one. */
            readonly subscription: {
                /** @description Documents of a month. */
                readonly docs: number;
                /** @description Those used this month. */
                readonly used: number;
            } | null;
            /** @description The credits. */
            readonly credits: {
                /** @description Documents of all valid credits. */
                readonly docs: number;
                /** @description Those used. */
                readonly used: number;
            };
        };
        readonly AdminAccount: {
            /** @description Id of the account. */
            readonly accountId: string;
            /** @description Its name. */
            readonly name: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Since when its keys are refused; null if they are accepted.
             */
            readonly suspendedAt: string | null;
            /**
             * Format: date-time
             * @description Since when it is being deleted, which cannot be undone.
             */
            readonly deletingSince: string | null;
            /** @description Whether a new version of a template is a draft until another person approves it. */
            readonly needsApproval: boolean;
            /** @description Its own limits of e-mails. */
            readonly emailLimits: {
                /** @description Recipients in a day (UTC); null for the limit of the service, 0 for none. */
                readonly recipientsPerDay: number | null;
                /** @description E-mails to one address in a day; null and 0 as above. */
                readonly messagesPerRecipientPerDay: number | null;
            };
            /** @description The monthly quota; null without one. */
            readonly subscription: {
                /** @description Documents of a month. */
                readonly docs: number;
                /** @description Templates it may have. */
                readonly templates: number;
                /** @description The day on which its month begins. */
                readonly anchorDay: number;
            } | null;
            /** @description Its API keys, oldest first. */
            readonly keys: readonly components["schemas"]["AdminKey"][];
            readonly quotas: components["schemas"]["Quotas"];
        };
        readonly AdminKey: {
            /** @description Id of the API key. */
            readonly keyId: string;
            /** @description What the operator called it. */
            readonly name: string | null;
            /** @description Its scopes; null for all of them. */
            readonly scopes: readonly ("templates:read" | "templates:write" | "documents:read" | "generate" | "account:read" | "webhooks" | "templates:approve" | "templates:override")[] | null;
            /** @description Whether its documents are free and have a watermark. */
            readonly isTest: boolean;
            /**
             * Format: date-time
             * @description When it expires.
             */
            readonly expiresAt: string | null;
            /** @description The person who is responsible for it; null if it has no owner. */
            readonly ownerId: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it was revoked.
             */
            readonly revokedAt: string | null;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation works, too.
             */
            readonly previousSecretUntil: string | null;
            /** @description Documents it may request in a calendar month (UTC); null for no budget. */
            readonly docsPerMonth: number | null;
            /** @description The provider by which a person signs in; null for a key. */
            readonly provider: string | null;
            /** @description The e-mail address of its user, for people who sign in. */
            readonly email: string | null;
            /** @description The roles of its user at the last sign-in. */
            readonly roles: readonly string[] | null;
        };
        readonly AdminAccountState: {
            /** @description Id of the account. */
            readonly accountId: string;
            /**
             * Format: date-time
             * @description Since when its keys are refused; null if they are accepted.
             */
            readonly suspendedAt: string | null;
        };
        readonly AdminEmailLimits: {
            /** @description Id of the account. */
            readonly accountId: string;
            /** @description Recipients in a day (UTC); null for the limit of the service, 0 for none. */
            readonly recipientsPerDay: number | null;
            /** @description E-mails to one address in a day; null and 0 as above. */
            readonly messagesPerRecipientPerDay: number | null;
        };
        readonly AdminEmailLimitsRequest: {
            /**
             * @description Recipients in a day (UTC); null for the limit of the service, 0 for none.
             * @example 500
             */
            readonly recipientsPerDay?: number | null;
            /**
             * @description E-mails to one address in a day; null and 0 as above.
             * @example 20
             */
            readonly messagesPerRecipientPerDay?: number | null;
        };
        readonly AdminBatchWeight: {
            /** @description Id of the account. */
            readonly accountId: string;
            /** @description Its share beside other accounts. */
            readonly weight: number;
        };
        readonly AdminBatchWeightRequest: {
            /**
             * @description Its share beside other accounts; usually 1.
             * @example 3
             */
            readonly weight: number;
        };
        readonly AdminApproval: {
            /** @description Id of the account. */
            readonly accountId: string;
            /** @description Whether a new version of a template is a draft until another person approves it. */
            readonly needsApproval: boolean;
        };
        readonly AdminApprovalRequest: {
            /**
             * @description Whether a new version of a template is a draft until another person approves it.
             * @example true
             */
            readonly needsApproval: boolean;
        };
        readonly AdminUsage: {
            /** @description Id of the account. */
            readonly accountId: string;
            /** @description The first day. */
            readonly from: string;
            /** @description The last day. */
            readonly to: string;
            /**
             * @description How it is grouped.
             * @enum {string}
             */
            readonly by: "day" | "template" | "key" | "dayAndTemplate";
            /** @description Of the whole period. */
            readonly totals: {
                /** @description Produced and charged, minus refunds. */
                readonly documents: number;
                /** @description Pages of the PDFs among them. */
                readonly pages: number;
                /** @description Bytes of the files. */
                readonly bytes: number;
                /** @description Released because they could not be produced. */
                readonly failures: number;
                /** @description Cancelled. */
                readonly cancelled: number;
            };
            /** @description The groups. */
            readonly groups: readonly {
                /** @description A day, or the id of a template or key; null if the key is unknown. */
                readonly name: string | null;
                /** @description For `dayAndTemplate`: a template, or null for all others. */
                readonly templateId?: string | null;
                /** @description Produced and charged, minus refunds. */
                readonly documents: number;
                /** @description Pages of the PDFs among them. */
                readonly pages: number;
                /** @description Bytes of the files. */
                readonly bytes: number;
                /** @description Released because they could not be produced. */
                readonly failures: number;
                /** @description Cancelled. */
                readonly cancelled: number;
            }[];
            /** @description Whether there are more groups. */
            readonly hasMore: boolean;
        };
        readonly AdminDeliveryList: readonly components["schemas"]["AdminDelivery"][];
        readonly AdminDelivery: {
            /** @description Id of the delivery. */
            readonly deliveryId: string;
            /** @description Id of the document. */
            readonly documentId: string;
            /**
             * @description Its status.
             * @enum {string}
             */
            readonly status: "pending" | "sending" | "transmitting" | "sent" | "partial" | "failed" | "unknown" | "skipped";
            /** @description The recipients, each with its outcome. */
            readonly recipients: readonly {
                readonly [key: string]: unknown;
            }[];
            /** @description How often it was tried. */
            readonly attempts: number;
            /** @description The last reply of the mail server. */
            readonly lastReply: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it is tried next.
             */
            readonly nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             */
            readonly finishedAt: string | null;
        };
        readonly AdminSubscription: {
            /** @description Id of the account. */
            readonly accountId: string;
            /** @description Documents in a month. */
            readonly docs: number;
            /** @description Templates that the account may have. */
            readonly templates: number;
            /** @description The day on which its month begins. */
            readonly anchorDay: number;
        };
        readonly AdminSubscriptionRequest: {
            /**
             * @description Documents in a month.
             * @example 1000
             */
            readonly docs: number;
            /**
             * @description Templates that the account may have.
             * @example 50
             */
            readonly templates: number;
            /**
             * @description The day on which its month begins; by default it stays, at first 1.
             * @example 1
             */
            readonly anchorDay?: number | null;
        };
        readonly AdminCredits: {
            /** @description Id of the credits. */
            readonly creditsId: string;
            /** @description Id of the account. */
            readonly accountId: string;
            /** @description Documents. */
            readonly docs: number;
            /** @description Templates. */
            readonly templates: number;
            /**
             * Format: date-time
             * @description When they expire; absent for never.
             */
            readonly expiresAt?: string;
        };
        readonly AdminCreditsRequest: {
            /**
             * @description Documents.
             * @example 500
             */
            readonly docs: number;
            /**
             * @description Templates.
             * @example 0
             */
            readonly templates: number;
            /**
             * Format: date-time
             * @description When it expires; by default never.
             */
            readonly expiresAt?: string | null;
        };
        readonly AdminBudget: {
            /** @description Id of the key. */
            readonly keyId: string;
            /** @description Documents in a calendar month (UTC); null for no budget. */
            readonly docsPerMonth: number | null;
        };
        readonly AdminBudgetRequest: {
            /**
             * @description Documents in a calendar month (UTC); null removes the budget.
             * @example 500
             */
            readonly docsPerMonth: number | null;
        };
        readonly AdminCreatedKey: {
            /** @description Id of the API key. */
            readonly keyId: string;
            /** @description What the operator called it. */
            readonly name: string | null;
            /** @description Its scopes; null for all of them. */
            readonly scopes: readonly ("templates:read" | "templates:write" | "documents:read" | "generate" | "account:read" | "webhooks" | "templates:approve" | "templates:override")[] | null;
            /** @description Whether its documents are free and have a watermark. */
            readonly isTest: boolean;
            /**
             * Format: date-time
             * @description When it expires.
             */
            readonly expiresAt: string | null;
            /** @description The person who is responsible for it; null if it has no owner. */
            readonly ownerId: string | null;
            /** @description Id of the account. */
            readonly accountId: string;
            /** @description The key itself. Store it: it is shown only now. */
            readonly apiKey: string;
        };
        readonly AdminKeyRequest: {
            /**
             * @description A name for people.
             * @example Smith & Sons
             */
            readonly name?: string | null;
            /**
             * @description What it may do; by default everything.
             * @example [
             *       "generate"
             *     ]
             */
            readonly scopes?: readonly ("templates:read" | "templates:write" | "documents:read" | "generate" | "account:read" | "webhooks" | "templates:approve" | "templates:override")[] | null;
            /**
             * @description By default `live`.
             * @example live
             * @enum {string|null}
             */
            readonly kind?: "live" | "test" | null;
            /**
             * Format: date-time
             * @description When it expires; by default never.
             */
            readonly expiresAt?: string | null;
            /**
             * @description The person who is responsible for it, by the id of their key.
             * @example key_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly ownerId?: string | null;
        };
        readonly AdminKeyList: readonly components["schemas"]["AdminKey"][];
        readonly AdminRotatedKey: {
            /** @description Id of the key. */
            readonly keyId: string;
            /**
             * Format: date-time
             * @description Until when the previous secret works.
             */
            readonly previousSecretUntil: string | null;
            /** @description The key with its new secret. Store it: it is shown only now. */
            readonly apiKey: string;
        };
        readonly AdminKeyRotationRequest: {
            /**
             * @description How long the previous secret works; by default 24 hours.
             * @example 24
             */
            readonly overlapHours?: number | null;
            /**
             * @description Ends the overlap of an earlier rotation.
             * @example false
             */
            readonly force?: boolean | null;
        };
        readonly AdminRevokedKey: {
            /** @description Id of the key. */
            readonly keyId: string;
            /**
             * Format: date-time
             * @description When it was first revoked.
             */
            readonly revokedAt: string | null;
        };
        readonly AdminQueues: {
            /** @description False if more wait than were counted. */
            readonly isComplete: boolean;
            /** @description `read`, or why Redis was not read. */
            readonly redis: string;
            /** @description The queues. */
            readonly queues: readonly {
                /** @description The queue. */
                readonly queue: string;
                /** @description Jobs that wait. */
                readonly waiting: number;
                /** @description Jobs that wait for their next attempt. */
                readonly delayed: number;
                /** @description Jobs in progress. */
                readonly inProgress: number;
                /** @description How long the oldest has waited. */
                readonly oldestSeconds: number;
                /** @description Arrivals; null without Redis. */
                readonly inPerMinute: number | null;
                /** @description Jobs that ended. */
                readonly outPerMinute: number;
                /** @description Those that failed. */
                readonly failedPerMinute: number;
                /** @description Whether it is paused. */
                readonly isPaused: boolean;
                /** @description Live workers that serve it. */
                readonly workers: number;
                /** @description Jobs in Redis; null without Redis. */
                readonly jobs: {
                    readonly waiting: number;
                    readonly active: number;
                    readonly delayed: number;
                } | null;
                /** @description Documents or e-mails without a job. */
                readonly missingJobs: number | null;
            }[];
            /** @description The accounts with the largest backlogs. */
            readonly accounts: readonly {
                /** @description Id of the account. */
                readonly accountId: string;
                /**
                 * Format: date-time
                 * @description Since when it is suspended.
                 */
                readonly suspendedAt: string | null;
                /** @description Jobs that wait. */
                readonly waiting: number;
                /** @description Jobs that wait for their next attempt. */
                readonly delayed: number;
                /** @description Jobs in progress. */
                readonly inProgress: number;
                /** @description How long the oldest has waited. */
                readonly oldestSeconds: number;
                /** @description Waiting jobs, by queue. */
                readonly queues: {
                    readonly [key: string]: number;
                };
                /** @description Whether it is paused. */
                readonly isPaused: boolean;
            }[];
        };
        readonly AdminBusiestAccounts: {
            /**
             * Format: date-time
             * @description The start of the period.
             */
            readonly since: string;
            /** @description The busiest first. */
            readonly accounts: readonly {
                /** @description Id of the account. */
                readonly accountId: string;
                /** @description Documents accepted in the period. */
                readonly documents: number;
                /** @description Those that failed. */
                readonly failed: number;
                /** @description Seconds that engines worked on them. */
                readonly engineSeconds: number;
            }[];
        };
        readonly AdminPauses: {
            /** @description The pauses that this request ended. */
            readonly resumed?: readonly string[];
            /** @description All pauses. */
            readonly paused: readonly components["schemas"]["AdminPause"][];
        };
        readonly AdminPause: {
            /** @description `queue:` and its name, or `account:` and its id. */
            readonly target: string;
            /** @description Whether the API refuses new requests. */
            readonly isRefusing: boolean;
            /**
             * Format: date-time
             * @description Since when.
             */
            readonly createdAt: string;
        };
        readonly AdminPauseRequest: {
            /**
             * @description A queue.
             * @example pdf
             * @enum {string|null}
             */
            readonly queue?: "docx" | "pdf" | "docx-batch" | "pdf-batch" | "inspect" | "mail" | "webhook" | "bundle" | null;
            /**
             * @description An account.
             * @example acc_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly account?: string | null;
            /**
             * @description All queues.
             * @enum {boolean|null}
             */
            readonly all?: true | null;
            /**
             * @description The API refuses new requests, too.
             * @example true
             */
            readonly refuse?: boolean | null;
        };
        readonly AdminResumeRequest: {
            /**
             * @description A queue.
             * @example pdf
             * @enum {string|null}
             */
            readonly queue?: "docx" | "pdf" | "docx-batch" | "pdf-batch" | "inspect" | "mail" | "webhook" | "bundle" | null;
            /**
             * @description An account.
             * @example acc_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly account?: string | null;
            /**
             * @description All queues.
             * @enum {boolean|null}
             */
            readonly all?: true | null;
        };
        readonly AdminWorkers: {
            /** @description All workers. */
            readonly workers: readonly components["schemas"]["AdminWorker"][];
        };
        readonly AdminWorker: {
            /** @description Id of the worker. */
            readonly workerId: string;
            /** @description Its host. */
            readonly host: string;
            /** @description Its process. */
            readonly pid: number;
            /** @description Its release. */
            readonly release: string;
            /** @description The queues that it serves. */
            readonly queues: readonly string[];
            /** @description Jobs that it processes, by queue. */
            readonly jobs: {
                readonly [key: string]: number;
            };
            /** @description Jobs that ended within two minutes, by queue. */
            readonly recent: {
                readonly [key: string]: {
                    readonly ended: number;
                    readonly failed: number;
                };
            };
            /**
             * Format: date-time
             * @description When it started.
             */
            readonly startedAt: string;
            /** @description Whether it was asked to finish its jobs and exit. */
            readonly isDraining: boolean;
            /** @description Whether it reported within 15 seconds. */
            readonly isLive: boolean;
        };
        readonly AdminDrain: {
            /** @description Workers that finish their jobs and exit. */
            readonly asked: readonly string[];
        };
        readonly AdminDrainRequest: {
            /**
             * @description One worker.
             * @example wrk_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly worker?: string | null;
            /**
             * @description All workers.
             * @enum {boolean|null}
             */
            readonly all?: true | null;
        };
        readonly AdminRetry: {
            /**
             * @description It was queued again.
             * @enum {string}
             */
            readonly outcome: "queued";
            /** @description How many documents were queued. */
            readonly documents?: number;
            /** @description The document. */
            readonly documentId?: string;
            /** @description The batch. */
            readonly batchId?: string;
            /** @description The e-mail. */
            readonly deliveryId?: string;
        };
        readonly AdminRetryRequest: {
            /**
             * @description A failed document of a batch.
             * @example doc_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly document?: string | null;
            /**
             * @description All failed documents of a batch.
             * @example bat_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly batch?: string | null;
            /**
             * @description An e-mail.
             * @example dlv_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly delivery?: string | null;
        };
        readonly AdminQuarantine: {
            /** @description Documents that crashed or hung LibreOffice. */
            readonly documents: readonly {
                /** @description Id of the account. */
                readonly accountId: string;
                /** @description Id of the template. */
                readonly templateId: string;
                /** @description Its version. */
                readonly templateVersion: number;
                /** @description How often it failed. */
                readonly failures: number;
                /** @description Why. */
                readonly reason: string;
                /** @description The latest document. */
                readonly documentId: string;
                /**
                 * Format: date-time
                 * @description The latest failure.
                 */
                readonly updatedAt: string;
                /** @description Identifies the template, its version and the data. */
                readonly fingerprint: string;
                /** @description Whether it is not produced again. */
                readonly isQuarantined: boolean;
                /** @description The object with the filled .docx. */
                readonly evidenceKey: string | null;
            }[];
            /** @description Templates with such failures. */
            readonly templates: readonly {
                /** @description Id of the account. */
                readonly accountId: string;
                /** @description Id of the template. */
                readonly templateId: string;
                /** @description Its version. */
                readonly templateVersion: number;
                /** @description How often it failed. */
                readonly failures: number;
                /** @description Why. */
                readonly reason: string;
                /** @description The latest document. */
                readonly documentId: string;
                /**
                 * Format: date-time
                 * @description The latest failure.
                 */
                readonly updatedAt: string;
                /**
                 * Format: date-time
                 * @description Until when its documents are refused; null if they are not.
                 */
                readonly suspendedUntil: string | null;
                /** @description How often it was suspended. */
                readonly suspensions: number;
            }[];
        };
        readonly AdminLifted: {
            /** @description The document. */
            readonly fingerprint?: string;
            /** @description The template. */
            readonly template?: string;
        };
        readonly AdminLiftRequest: {
            /**
             * @description A document.
             * @example 9f86d081884c7d65
             */
            readonly fingerprint?: string | null;
            /**
             * @description A template.
             * @example tpl_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly template?: string | null;
        };
        readonly AdminTemplatePin: {
            /** @description Id of the template. */
            readonly templateId: string;
            /** @description The version of LibreOffice; null for any. */
            readonly engine: string | null;
        };
        readonly AdminEngineRequest: {
            /**
             * @description A version of LibreOffice; null removes the pin.
             * @example 25.2
             */
            readonly engine: string | null;
            /**
             * @description Pins although no worker has the version.
             * @example false
             */
            readonly withoutWorker?: boolean | null;
        };
        readonly AdminReseal: {
            /** @description Webhooks that were read. */
            readonly webhooks: number;
            /** @description Those whose secrets were encrypted anew. */
            readonly resealed: number;
            /** @description Those still to be encrypted. */
            readonly pending: number;
            /** @description Those with a secret that no key opens. */
            readonly unreadable: number;
            /** @description The first 20 of them. */
            readonly unreadableIds: readonly string[];
        };
        readonly AdminResealRequest: {
            /**
             * @description Only reports; changes nothing.
             * @example true
             */
            readonly check?: boolean | null;
        };
        readonly Erasure: {
            /** @description Id of the erasure. */
            readonly erasureId: string;
            /**
             * @description What is erased.
             * @enum {string}
             */
            readonly kind: "account" | "document" | "recipient";
            /** @description The account or the document; null for an address, which is not kept. */
            readonly target: string | null;
            /** @description The only account in which an address is erased; null for all. */
            readonly withinAccount: string | null;
            /**
             * @description Only `succeeded` and `failed` are final.
             * @enum {string}
             */
            readonly state: "waiting" | "running" | "succeeded" | "failed";
            /** @description What was erased; null until it has succeeded. */
            readonly result: {
                readonly [key: string]: string | number;
            } | null;
            /** @description Why it failed. */
            readonly error: string | null;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            readonly finishedAt: string | null;
        };
        readonly AdminAccountErasureRequest: {
            /**
             * @description The name of the account, so that a wrong id deletes nothing.
             * @example Smith & Sons
             */
            readonly confirm: string;
        };
        readonly AdminErasureRequest: {
            /**
             * @description A document.
             * @example doc_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly document?: string | null;
            /**
             * @description Every document sent to this address or naming it.
             * @example ada@example.com
             */
            readonly recipient?: string | null;
            /**
             * @description Only in this account.
             * @example acc_01hx5s3k2v9m8q7r6t5w4y3z2a
             */
            readonly account?: string | null;
        };
        readonly ErasureList: readonly components["schemas"]["Erasure"][];
        readonly AuditEntryList: readonly components["schemas"]["AuditEntry"][];
        readonly AuditEntry: {
            /** @description Id of the entry. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it was written.
             */
            readonly at: string;
            /** @description The operator key, or the name that was given to the command. */
            readonly actor: string | null;
            /** @description `api`, or the user who ran the command. */
            readonly osUser: string;
            /** @description The address of the client, or the host of the command. */
            readonly host: string;
            /** @description The name of the command. */
            readonly action: string;
            /** @description The account. */
            readonly accountId: string | null;
            /** @description What was changed. */
            readonly target: string | null;
            /** @description Ids, numbers and choices. */
            readonly options: {
                readonly [key: string]: string;
            };
            /**
             * @description What came of it.
             * @enum {string}
             */
            readonly outcome: "started" | "succeeded" | "failed";
            /** @description How much was changed. */
            readonly counts: {
                readonly [key: string]: number;
            } | null;
            /** @description The code of the error. */
            readonly error: string | null;
            /** @description The entry of the start, for an act in several steps. */
            readonly startId: string | null;
        };
        readonly AdminKeyUseList: readonly components["schemas"]["AdminKeyUse"][];
        readonly AdminKeyUse: {
            /** @description Id of the key. */
            readonly keyId: string;
            /** @description The day (UTC). */
            readonly day: string;
            /** @description The scope, or `any`. */
            readonly scope: string;
            /** @description Id of the account. */
            readonly accountId: string;
            /** @description Requests of that day. */
            readonly requests: number;
            /**
             * Format: date-time
             * @description The first of them.
             */
            readonly firstAt: string;
            /**
             * Format: date-time
             * @description The last of them.
             */
            readonly lastAt: string;
        };
        readonly CreatedOperatorKey: {
            /** @description Id of the operator key. */
            readonly operatorKeyId: string;
            /** @description Its name. */
            readonly name: string;
            /** @description Its scopes; null for all of them. */
            readonly scopes: readonly ("accounts:read" | "accounts:write" | "billing:write" | "keys:write" | "operations:read" | "operations:write" | "erasure:write" | "audit:read" | "operators:write")[] | null;
            /** @description Where it is accepted from; null for anywhere. */
            readonly addressRanges: readonly string[] | null;
            /** @description Requests in a minute; null for the configured limit. */
            readonly requestsPerMinute: number | null;
            /**
             * Format: date-time
             * @description When it expires.
             */
            readonly expiresAt: string | null;
            /** @description The key itself. Store it: it is shown only now. */
            readonly operatorKey: string;
        };
        readonly OperatorKeyRequest: {
            /**
             * @description A name for people.
             * @example Smith & Sons
             */
            readonly name: string;
            /**
             * @description What it may do; by default what your key may do.
             * @example [
             *       "accounts:read"
             *     ]
             */
            readonly scopes?: readonly ("accounts:read" | "accounts:write" | "billing:write" | "keys:write" | "operations:read" | "operations:write" | "erasure:write" | "audit:read" | "operators:write")[] | null;
            /**
             * @description Where it is accepted from; by default where yours is.
             * @example [
             *       "203.0.113.0/24"
             *     ]
             */
            readonly addressRanges?: readonly string[] | null;
            /**
             * @description By default `ADMIN_REQUESTS_PER_MINUTE`.
             * @example 120
             */
            readonly requestsPerMinute?: number | null;
            /**
             * Format: date-time
             * @description When it expires; by default never.
             */
            readonly expiresAt?: string | null;
        };
        readonly OperatorKeyList: readonly components["schemas"]["OperatorKey"][];
        readonly OperatorKey: {
            /** @description Id of the operator key. */
            readonly operatorKeyId: string;
            /** @description Its name. */
            readonly name: string;
            /** @description Its scopes; null for all of them. */
            readonly scopes: readonly ("accounts:read" | "accounts:write" | "billing:write" | "keys:write" | "operations:read" | "operations:write" | "erasure:write" | "audit:read" | "operators:write")[] | null;
            /** @description Where it is accepted from; null for anywhere. */
            readonly addressRanges: readonly string[] | null;
            /** @description Requests in a minute; null for the configured limit. */
            readonly requestsPerMinute: number | null;
            /**
             * Format: date-time
             * @description When it expires.
             */
            readonly expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Its last use, accurate to a minute.
             */
            readonly lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked.
             */
            readonly revokedAt: string | null;
        };
        readonly RevokedOperatorKey: {
            /** @description Id of the operator key. */
            readonly operatorKeyId: string;
            /**
             * Format: date-time
             * @description When it was first revoked.
             */
            readonly revokedAt: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
