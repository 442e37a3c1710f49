// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {EscrowFees} from "./EscrowFees.sol";
import {EscrowSchemas} from "./EscrowSchemas.sol";

/// @notice None -> Open: the ways to create and fund a job.
abstract contract EscrowCreation is EscrowFees, EscrowSchemas {
    /// @dev What every way of creation hands to `_create`.
    struct NewJob {
        bytes32 jobId;
        address poster;
        address asset;
        uint256 reward;
        uint256 opsReserve;
        uint256 contingencyReserve;
        uint256 claimTtl;
        bytes32 verifierMode;
        bytes32 category;
        bytes32 specHash;
        PayoutMode payoutMode;
        bool feeWaived;
        bool recurring;
        bytes32 templateId;
    }

    /// @notice Creates a job that is paid at once, from the caller's funds.
    function createSinglePayoutJob(
        bytes32 jobId,
        address asset,
        uint256 reward,
        uint256 opsReserve,
        uint256 contingencyReserve,
        uint256 claimTtl,
        bytes32 verifierMode,
        bytes32 category,
        bytes32 specHash
    ) external whenNotPaused nonReentrant {
        ExternalSchemaRegistration memory none;
        _create(
            _newJob(
                jobId, asset, reward, opsReserve, contingencyReserve, claimTtl, verifierMode, category, specHash, false
            ),
            none
        );
    }

    /// @notice The same with an external result schema.
    function createSinglePayoutJob(
        bytes32 jobId,
        address asset,
        uint256 reward,
        uint256 opsReserve,
        uint256 contingencyReserve,
        uint256 claimTtl,
        bytes32 verifierMode,
        bytes32 category,
        bytes32 specHash,
        ExternalSchemaRegistration calldata externalSchema
    ) external whenNotPaused nonReentrant {
        _create(
            _newJob(
                jobId, asset, reward, opsReserve, contingencyReserve, claimTtl, verifierMode, category, specHash, false
            ),
            externalSchema
        );
    }

    /// @notice Creates a job of the broker itself without a poster fee, with an external result schema.
    function createSinglePayoutJobFeeWaived(
        bytes32 jobId,
        address asset,
        uint256 reward,
        uint256 opsReserve,
        uint256 contingencyReserve,
        uint256 claimTtl,
        bytes32 verifierMode,
        bytes32 category,
        bytes32 specHash,
        ExternalSchemaRegistration calldata externalSchema
    ) external whenNotPaused nonReentrant onlyOperator {
        _create(
            _newJob(
                jobId, asset, reward, opsReserve, contingencyReserve, claimTtl, verifierMode, category, specHash, true
            ),
            externalSchema
        );
    }

    /// @notice Creates a job of the broker itself without a poster fee.
    function createSinglePayoutJobFeeWaived(
        bytes32 jobId,
        address asset,
        uint256 reward,
        uint256 opsReserve,
        uint256 contingencyReserve,
        uint256 claimTtl,
        bytes32 verifierMode,
        bytes32 category,
        bytes32 specHash
    ) external whenNotPaused nonReentrant onlyOperator {
        ExternalSchemaRegistration memory none;
        _create(
            _newJob(
                jobId, asset, reward, opsReserve, contingencyReserve, claimTtl, verifierMode, category, specHash, true
            ),
            none
        );
    }

    /// @notice Creates a job out of the reserve that a poster set aside for a template.
    function createSinglePayoutJobFromRecurringReserve(RecurringSinglePayoutJob calldata params)
        external
        whenNotPaused
        nonReentrant
        onlyOperator
    {
        NewJob memory job = _newJob(
            params.jobId,
            params.asset,
            params.reward,
            params.opsReserve,
            params.contingencyReserve,
            params.claimTtl,
            params.verifierMode,
            params.category,
            params.specHash,
            params.protocolFeeWaived
        );
        job.poster = params.poster;
        job.recurring = true;
        job.templateId = params.templateId;
        _create(
            job,
            ExternalSchemaRegistration(
                params.schemaHash, params.schemaUrl, params.schemaIssuer, params.schemaSignature
            )
        );
    }

    /// @notice Creates a job that is paid in up to 32 parts, from the caller's funds.
    function createMilestoneJob(
        bytes32 jobId,
        address asset,
        uint256[] calldata milestones,
        uint256 opsReserve,
        uint256 contingencyReserve,
        uint256 claimTtl,
        bytes32 verifierMode,
        bytes32 category,
        bytes32 specHash
    ) external whenNotPaused nonReentrant {
        _requireState(_jobs[jobId].state == JobState.None);
        NewJob memory job = _newJob(
            jobId,
            asset,
            _sumOf(milestones),
            opsReserve,
            contingencyReserve,
            claimTtl,
            verifierMode,
            category,
            specHash,
            false
        );
        job.payoutMode = PayoutMode.Milestone;
        milestoneAmounts[jobId] = milestones;
        ExternalSchemaRegistration memory none;
        _create(job, none);
    }

    /// @notice Lets new workers claim a job without stake and fee; affects later claims only.
    function setOnboardingWaiverEligible(bytes32 jobId, bool eligible) external whenNotPaused onlyOperator {
        if (_jobs[jobId].state == JobState.None) revert UnknownJob();
        onboardingWaiverEligibleJobs[jobId] = eligible;
        emit OnboardingWaiverEligibilityUpdated(jobId, eligible);
    }

    /// @dev A reward of 0 is refused here although the public deployments accept it: such a job could
    ///      never be approved.
    function _create(NewJob memory fresh, ExternalSchemaRegistration memory schema) private {
        bytes32 jobId = fresh.jobId;
        JobEscrow storage job = _jobs[jobId];
        _requireState(job.state == JobState.None);
        _requireRole(fresh.poster != address(0));
        if (fresh.reward == 0) revert ZeroAmount();
        _registerSchema(jobId, schema);
        _store(job, fresh);
        createdAt[jobId] = block.timestamp;
        claimTtls[jobId] = fresh.claimTtl;
        uint256 total = fresh.reward + job.protocolFee + fresh.opsReserve + fresh.contingencyReserve;
        _fund(fresh, total);
        emit JobFunded(jobId, fresh.poster, fresh.asset, total, fresh.payoutMode);
        emit JobCreated(jobId, fresh.poster, fresh.specHash, fresh.asset, total, fresh.payoutMode);
    }

    function _store(JobEscrow storage job, NewJob memory fresh) private {
        job.poster = fresh.poster;
        job.asset = fresh.asset;
        job.verifierMode = fresh.verifierMode;
        job.category = fresh.category;
        job.specHash = fresh.specHash;
        job.reward = fresh.reward;
        job.opsReserve = fresh.opsReserve;
        job.contingencyReserve = fresh.contingencyReserve;
        job.payoutMode = fresh.payoutMode;
        job.state = JobState.Open;
        job.protocolFeeWaived = fresh.feeWaived;
        if (fresh.feeWaived) return;
        job.protocolFee = previewPosterFee(fresh.reward);
        job.protocolFeeBps = posterFeeBps;
    }

    function _fund(NewJob memory fresh, uint256 total) private {
        if (!fresh.recurring) {
            accounts.reserveForJob(fresh.poster, fresh.asset, total);
            return;
        }
        accounts.consumeRecurringTemplateReserve(fresh.poster, fresh.asset, fresh.templateId, total);
        emit RecurringJobFundedFromTemplate(fresh.jobId, fresh.templateId, fresh.poster, fresh.asset, total);
    }

    function _newJob(
        bytes32 jobId,
        address asset,
        uint256 reward,
        uint256 opsReserve,
        uint256 contingencyReserve,
        uint256 claimTtl,
        bytes32 verifierMode,
        bytes32 category,
        bytes32 specHash,
        bool feeWaived
    ) private view returns (NewJob memory fresh) {
        fresh.jobId = jobId;
        fresh.poster = msg.sender;
        fresh.asset = asset;
        fresh.reward = reward;
        fresh.opsReserve = opsReserve;
        fresh.contingencyReserve = contingencyReserve;
        fresh.claimTtl = claimTtl;
        fresh.verifierMode = verifierMode;
        fresh.category = category;
        fresh.specHash = specHash;
        fresh.feeWaived = feeWaived;
    }

    function _sumOf(uint256[] calldata milestones) private pure returns (uint256 sum) {
        if (milestones.length == 0 || milestones.length > MAX_MILESTONES) revert MilestoneLimitExceeded();
        for (uint256 i = 0; i < milestones.length; i++) {
            if (milestones[i] == 0) revert ZeroAmount();
            sum += milestones[i];
        }
    }
}
